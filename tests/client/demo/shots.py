"""Pictures of every made-up state at every size, by day and night, into a folder."""

import argparse
import shutil
import threading
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.client.demo.serve import server
from tests.needs import CHROMIUM_ARGS

SIZES = {
    "phone": (360, 640),
    "side": (844, 390),
    "tablet": (1024, 768),
    "desk": (1440, 900),
    "wide": (2560, 1300),
}


def main() -> None:
    """Take the pictures that the command line names."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--states", default="mid")
    parser.add_argument("--sizes", default=",".join(SIZES))
    parser.add_argument("--themes", default="dark")
    parser.add_argument("--scale", type=float, default=1)
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    http_server = server()
    threading.Thread(target=http_server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{http_server.server_address[1]}/"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=list(CHROMIUM_ARGS)
        )
        for size in chosen.sizes.split(","):
            width, height = SIZES[size]
            context = browser.new_context(
                viewport={"width": width, "height": height}, device_scale_factor=chosen.scale
            )
            page = context.new_page()
            page.on("console", lambda message: print("console:", message.text))
            page.on("pageerror", lambda error: print("error:", error))
            for state in chosen.states.split(","):
                for theme in chosen.themes.split(","):
                    page.goto(f"{address}?state={state}&theme={theme}")
                    page.wait_for_selector(".contours")
                    page.wait_for_timeout(500)
                    page.screenshot(path=str(chosen.folder / f"{state}-{size}-{theme}.png"))
            context.close()
        browser.close()
    http_server.shutdown()


if __name__ == "__main__":
    main()
