"""Types for the errors of msgpack."""

from msgpack import BufferFull as BufferFull
from msgpack import ExtraData as ExtraData
from msgpack import FormatError as FormatError
from msgpack import OutOfData as OutOfData
from msgpack import StackError as StackError
from msgpack import UnpackException as UnpackException

UnpackValueError = ValueError
