"""The GPT of lesson 12. Its sizes are parameters, so cases can take a small one."""

from collections.abc import Callable

from torch import Tensor, nn
from torch.nn.functional import gelu, scaled_dot_product_attention


class Block(nn.Module):
    """A layer of a transformer: attention, then two linear layers."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        """The result for x. Both have the shape (texts, bytes, width)."""
        parts = self.qkv(self.norm1(x)).unflatten(2, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        query, key, value = parts
        seen = scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).flatten(2))
        result: Tensor = x + self.down(gelu(self.up(self.norm2(x))))
        return result


def _call(block: nn.Module, x: Tensor) -> Tensor:
    result: Tensor = block(x)
    return result


class GPT(nn.Module):
    """A model that predicts the next byte of a text of at most `context` bytes."""

    def __init__(
        self, layers: int = 6, width: int = 192, heads: int = 4, context: int = 64
    ) -> None:
        super().__init__()
        self.tokens, self.positions = nn.Embedding(256, width), nn.Embedding(context, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, 256, bias=False)

    def forward(self, text: Tensor, run: Callable[[nn.Module, Tensor], Tensor] = _call) -> Tensor:
        """The scores of each next byte, of the shape (texts, bytes, 256), for text (texts, bytes).

        run: calls a block.
        """
        x = self.tokens(text) + self.positions.weight[: text.shape[1]]
        for block in self.blocks:
            x = run(block, x)
        scores: Tensor = self.head(self.norm(x))
        return scores
