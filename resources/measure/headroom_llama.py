# SPDX-License-Identifier: GPL-3.0-or-later
"""The model that headroom_measure.py times: Llama's layers in plain PyTorch, any shape, random weights."""
import math

import torch
import torch.utils.checkpoint


def norm(x, weight):
    y = x.float()
    return (y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + 1e-5) * weight.float()).to(x.dtype)


def add_norm(x, delta, weight):
    x = x + delta
    return x, norm(x, weight)


def rope(x, cosine, sine):
    a, b = x.float().chunk(2, -1)
    return torch.cat((a * cosine - b * sine, b * cosine + a * sine), -1).to(x.dtype)


def swiglu(x):
    gate, up = x.chunk(2, -1)
    return torch.nn.functional.silu(gate) * up


def attend(query, key, value, causal):
    """[batch, heads, tokens, head_dim]; key and value with as many heads as the query."""
    if hasattr(torch.nn.functional, "scaled_dot_product_attention"):
        return torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=causal)
    scores = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1])
    if causal:
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).triu(1)
        scores = scores.masked_fill(hidden, float("-inf"))
    return torch.softmax(scores.float(), -1).to(value.dtype) @ value


ELEMENTWISE = (norm, add_norm, rope, swiglu)  # what torch.compile may fuse: the `operations` of a model


class Llama:
    """Llama with random weights, as functions over plain tensors. To train: fp32 weights, run under autocast."""

    def __init__(self, shape, device, dtype, operations, train=False):
        self.shape, self.dtype, self.operations, self.parameters = shape, dtype, operations, []

        def new(*size):
            tensor = torch.randn(size, device=device, dtype=torch.float32 if train else dtype)
            tensor = (tensor.mul_(0.02) if len(size) > 1 else tensor.fill_(1)).requires_grad_(train)
            self.parameters.append(tensor)
            return tensor

        s, width = shape, shape.heads * shape.head_dim
        self.embedding = new(s.vocab, s.hidden)
        self.layers = [(new(s.hidden), new(width + 2 * s.kv_heads * s.head_dim, s.hidden), new(s.hidden, width),
                        new(s.hidden), new(2 * s.ffn, s.hidden), new(s.hidden, s.ffn)) for _ in range(s.layers)]
        self.final = new(s.hidden)
        self.head = self.embedding if s.tied else new(s.vocab, s.hidden)

    def angles(self, first, count):
        device, half = self.embedding.device, self.shape.head_dim // 2
        rate = 500000.0 ** (-torch.arange(half, device=device) / half)  # Llama 3's base
        angle = torch.outer(torch.arange(first, first + count, device=device).float(), rate)[:, None]
        return angle.cos(), angle.sin()

    def layer(self, x, weights, angles, cache, position):
        linear, (norm1, qkv, out, norm2, up, down) = torch.nn.functional.linear, weights
        normed, added, rotate, activate = self.operations
        s, (batch, tokens, _) = self.shape, x.shape
        rotated = s.heads + s.kv_heads
        mixed = linear(normed(x, norm1), qkv).view(batch, tokens, rotated + s.kv_heads, s.head_dim)
        both = rotate(mixed[:, :, :rotated], *angles).transpose(1, 2)
        query, key, value = both[:, :s.heads], both[:, s.heads:], mixed[:, :, rotated:].transpose(1, 2)
        if cache is not None:
            cache[0][:, :, position:position + tokens] = key
            cache[1][:, :, position:position + tokens] = value
        if cache is not None and tokens == 1:
            # The query heads that share a key head become its rows: the cache is read once, and no mask is needed.
            query = query.reshape(batch, s.kv_heads, -1, s.head_dim)
            core = attend(query, cache[0][:, :, :position + 1], cache[1][:, :, :position + 1], False)
        else:
            wide = (batch, s.kv_heads, s.heads // s.kv_heads, tokens, s.head_dim)
            key, value = (t[:, :, None].expand(wide).reshape(query.shape) for t in (key, value))
            core = attend(query, key, value, True).transpose(1, 2)
        x, y = added(x, linear(core.reshape(batch, tokens, -1), out), norm2)
        return x + linear(activate(linear(y, up)), down)

    def hidden(self, tokens, caches=None, position=0, angles=None, checkpoint=False):
        x = torch.nn.functional.embedding(tokens, self.embedding).to(self.dtype)
        angles = angles or self.angles(position, tokens.shape[1])
        for index, weights in enumerate(self.layers):
            arguments = (x, weights, angles, caches[index] if caches else None, position)
            if checkpoint:
                x = torch.utils.checkpoint.checkpoint(self.layer, *arguments, use_reentrant=False,
                                                      preserve_rng_state=False)
            else:
                x = self.layer(*arguments)
        return self.operations[0](x, self.final)

    def next_token(self, *arguments):
        """The greedy next token of every sequence: [batch, 1]."""
        return torch.nn.functional.linear(self.hidden(*arguments)[:, -1:], self.head).argmax(-1)
