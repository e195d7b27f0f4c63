# The server in a container of its own. With YUKON_REDIS_URL it keeps games in that Redis, as
# docker-compose.yml does; without, in its own one in /data, which then wants a volume:
#   docker build --tag yukon . && docker run -p 8080:8080 -v yukon:/data --init yukon
FROM python:3.13-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY engine engine
COPY server server
COPY client client
RUN python -m venv /opt/yukon && /opt/yukon/bin/pip install --no-cache-dir .

FROM python:3.13-slim
RUN useradd --system --uid 10001 --home-dir /data --create-home --shell /usr/sbin/nologin yukon \
    && chmod 0700 /data
COPY --from=build /opt/yukon /opt/yukon
ENV PATH=/opt/yukon/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    YUKON_PORT=8080 \
    YUKON_DATA_DIR=/data
WORKDIR /data
USER yukon
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f\"http://127.0.0.1:{os.environ['YUKON_PORT']}/healthz\", timeout=4)"]
# -P: what lies in the working folder is data, not program.
ENTRYPOINT ["python", "-P", "-m", "server", "--host", "0.0.0.0"]
