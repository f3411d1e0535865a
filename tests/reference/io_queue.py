"""I/O queues: https://encoding.spec.whatwg.org/#terminology."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from enum import Enum
from typing import Final, Literal, TypeAlias, TypeGuard


class EndOfQueue(Enum):
    """The type of the one special item."""

    END_OF_QUEUE = "end-of-queue"


END_OF_QUEUE: Final = EndOfQueue.END_OF_QUEUE

# A byte, a scalar value or a code unit; or end-of-queue.
Item: TypeAlias = int | Literal[EndOfQueue.END_OF_QUEUE]


def in_range(item: Item | None, first: int, last: int) -> TypeGuard[int]:
    """Return whether `item` is in the range `first` to `last`, inclusive. End-of-queue and null are in no range."""
    return isinstance(item, int) and first <= item <= last


def scalar_value_from_surrogates(leading: int, trailing: int) -> int:
    """Return a surrogate pair's scalar value: https://infra.spec.whatwg.org/#scalar-value-from-surrogates."""
    return 0x10000 + ((leading - 0xD800) << 10) + (trailing - 0xDC00)


def restore(io_queue: IOQueue, items: Item | list[int]) -> None:
    """Restore an item or a list of items; end-of-queue is still there: #concept-stream-prepend."""
    if items is not END_OF_QUEUE:
        io_queue.restore(*(items if isinstance(items, list) else [items]))


class IOQueue:
    """A list of items that ends with end-of-queue once the end is known.

    Where the standard waits (an empty queue in streaming mode), this raises `IndexError`. `position` is not in the
    standard: the number of items read and not restored, which locates an error.
    """

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._items: deque[Item] = deque(items)
        self.position = 0

    @classmethod
    def convert(cls, items: Iterable[int]) -> IOQueue:
        """Return the I/O queue of `items`: https://encoding.spec.whatwg.org/#to-i-o-queue-convert."""
        queue = cls(items)
        queue._items.append(END_OF_QUEUE)
        return queue

    def read(self) -> Item:
        """Remove and return the next item: https://encoding.spec.whatwg.org/#concept-stream-read."""
        item = self._items[0]  # 1
        if item is not END_OF_QUEUE:  # 2, 3
            self._items.popleft()
            self.position += 1
        return item

    def read_items(self, number: int) -> list[int]:
        """Return the next `number` items or fewer: https://encoding.spec.whatwg.org/#concept-stream-read."""
        return [item for item in (self.read() for _ in range(number)) if item is not END_OF_QUEUE]

    def peek(self, number: int) -> list[int]:
        """Return the next `number` items, or fewer at the end, without reading them.

        https://encoding.spec.whatwg.org/#i-o-queue-peek
        """
        prefix: list[int] = []  # 2
        for n in range(number):  # 3
            item = self._items[n]  # 1, too
            if item is END_OF_QUEUE:
                break
            prefix.append(item)
        return prefix  # 4

    def push(self, *items: Item) -> None:
        """Insert `items` at the end of the queue: https://encoding.spec.whatwg.org/#concept-stream-push."""
        for item in items:
            if self._items and self._items[-1] is END_OF_QUEUE:  # 1
                if item is not END_OF_QUEUE:
                    self._items[-1] = item
                    self._items.append(END_OF_QUEUE)
            else:  # 2
                self._items.append(item)

    def restore(self, *items: int) -> None:
        """Insert `items`, in this order, at the front: https://encoding.spec.whatwg.org/#concept-stream-prepend."""
        self._items.extendleft(reversed(items))
        self.position -= len(items)

    def to_list(self) -> list[int]:
        """Return all items: https://encoding.spec.whatwg.org/#from-i-o-queue-convert."""
        return [item for item in self._items if item is not END_OF_QUEUE]

    def to_bytes(self) -> bytes:
        """Return all items of a queue of bytes."""
        return bytes(self.to_list())

    def to_text(self) -> str:
        """Return all items of a queue of scalar values as a string."""
        return "".join(map(chr, self.to_list()))
