"""The names that ``format`` and ``profile`` take, for editors and type checkers.

The build writes this from the folders of ``spec/v1``.
"""

from typing import Literal

# fmt: off
FormatName = Literal[
    "anthropic-prompt", "apertus", "apriel", "beam", "bielik", "command-a", "deepseek-v3",
    "deepseek-v3.1", "deepseek-v3.2", "deepseek-v4", "deepseek-v4.1", "dots", "ernie", "exaone-4",
    "firefunction-2", "functionary-3", "functiongemma", "gemma-3", "gemma-4", "gigachat-3",
    "gigachat-3.5", "glm-4.5", "glm-4.7", "gpt-5", "gpt-oss", "granite-20b-fc", "granite-3",
    "granite-3.1", "granite-4", "granite-4.2", "hermes", "hunyuan", "hy-3", "hy-4", "inkling",
    "intern-s1", "internlm", "iquest-q1", "jamba", "k2-horizon", "kimi-k2", "kimi-k3", "laguna",
    "lfm-2", "ling-3", "llama-3", "llama-3-pythonic", "llama-4", "lm-studio", "longcat",
    "longcat-2601", "magistral", "mimo-2", "mimo-7b", "minicpm-5", "minimax-m1", "minimax-m2",
    "minimax-m3", "mistral-v11", "mistral-v13", "mistral-v3", "muse", "nemotron-2", "nemotron-3",
    "olmo-3", "phi-4-mini", "plamo-3", "qwen2.5-coder", "qwen3", "qwen3-coder", "reka-edge",
    "sarashina", "seed-oss", "smollm-3", "solar-open", "spark-2.5", "step-3", "step-3.5", "step-5",
    "trinity", "xing-4", "xlam"
]
ProfileName = Literal[
    "strict", "anthropic-compatible", "anthropic-messages", "cerebras", "cerebras-strict",
    "dashscope", "deepseek", "deepseek-flash", "gemini-compatible", "groq", "litellm-anthropic",
    "llama-cpp", "llama-cpp-alternating", "llama-cpp-llama-3", "lm-studio", "minimax", "mistral",
    "moonshot", "moonshot-k3", "ollama-chat", "ollama-compatible", "openai", "openai-gpt-5-4",
    "openai-reasoning", "openai-responses", "openrouter", "openrouter-gemini", "sglang", "vllm",
    "vllm-alternating", "vllm-llama-3", "xai"
]
