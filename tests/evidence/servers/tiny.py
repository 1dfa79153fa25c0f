"""Models for the two servers: a byte-level vocabulary and a template; of weights, as few as go.

Run by a Python that has what it imports: `tiny.py vllm FOLDER` with the one that has vLLM,
`tiny.py llama FILE` with one that has gguf. What a model says is never asked for.
"""

import sys
from pathlib import Path

LENGTH = 32768
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<tool_call>", "</tool_call>"]
TEMPLATE = (
    "{% if tools %}<|im_start|>tools\n{% for t in tools %}{{ t | tojson }}\n{% endfor %}<|im_end|>"
    "{% endif %}{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content or '' }}"
    "{% for c in m.tool_calls or [] %}<tool_call>{{ c.function | tojson }}</tool_call>{% endfor %}"
    "<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def byte_letters() -> list[str]:
    """Return the letter that byte-level vocabularies write for each byte (that of GPT-2)."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(byte if byte in printable else next(others)) for byte in range(256)]


def write_vllm(folder: Path) -> None:
    """Write configuration and tokenizer; the front end of vLLM reads no weights."""
    from tokenizers import (  # type: ignore[import-not-found, unused-ignore]
        Tokenizer,
        decoders,
        models,
        pre_tokenizers,
    )
    from transformers import (  # type: ignore[import-not-found, unused-ignore]
        LlamaConfig,
        PreTrainedTokenizerFast,
    )

    words = {word: number for number, word in enumerate([*byte_letters(), *SPECIAL])}
    tokenizer = Tokenizer(models.BPE(vocab=words, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(SPECIAL[:3])
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token=SPECIAL[0],
        eos_token=SPECIAL[2],
        model_max_length=LENGTH,
    )
    fast.chat_template = TEMPLATE
    fast.save_pretrained(folder)
    shape = {"hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 1}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 4, "vocab_size": len(words)}
    config = LlamaConfig(**shape, **heads, max_position_embeddings=LENGTH)
    config.architectures = ["LlamaForCausalLM"]
    config.save_pretrained(folder)


def write_llama(file: Path) -> None:
    """Write a whole model: one block of width 64, all zero."""
    import gguf  # type: ignore[import-not-found, unused-ignore]
    import numpy  # type: ignore[import-not-found, unused-ignore]

    letters = byte_letters()
    words = [*letters, letters[104] + letters[105], *SPECIAL]  # a merge there has to be: "hi"
    kinds = [gguf.TokenType.NORMAL] * 257 + [gguf.TokenType.CONTROL] * 3
    kinds += [gguf.TokenType.USER_DEFINED] * 2
    writer = gguf.GGUFWriter(file, "llama")
    writer.add_context_length(LENGTH)
    writer.add_embedding_length(64)
    writer.add_block_count(1)
    writer.add_feed_forward_length(64)
    writer.add_head_count(1)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(words)
    writer.add_token_types(kinds)
    writer.add_token_merges([f"{letters[104]} {letters[105]}"])
    writer.add_bos_token_id(257)
    writer.add_eos_token_id(259)
    writer.add_chat_template(TEMPLATE)
    square = ["attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"]
    for name in square:
        writer.add_tensor(f"blk.0.{name}.weight", numpy.zeros((64, 64), numpy.float32))
    for name in ("blk.0.attn_norm", "blk.0.ffn_norm", "output_norm"):
        writer.add_tensor(f"{name}.weight", numpy.zeros(64, numpy.float32))
    for name in ("token_embd", "output"):
        writer.add_tensor(f"{name}.weight", numpy.zeros((len(words), 64), numpy.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    {"vllm": write_vllm, "llama": write_llama}[sys.argv[1]](Path(sys.argv[2]))
