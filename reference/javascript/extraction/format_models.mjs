// The models of spec/v1/formats/*.json. The build writes this; change those.

export const MODELS = {
  "anthropic-prompt": [],
  "apertus": [
    "swiss-ai/Apertus-*"
  ],
  "apriel": [
    "ServiceNow-AI/Apriel-1.5-*",
    "ServiceNow-AI/Apriel-1.6-*"
  ],
  "beam": [
    "reflection/Beam-*"
  ],
  "bielik": [
    "speakleash/Bielik-11B-v3*"
  ],
  "command-a": [
    "CohereLabs/command-a-*",
    "CohereLabs/c4ai-command-a-*",
    "CohereLabs/c4ai-command-r7b-*",
    "CohereForAI/c4ai-command-r7b-*",
    "CohereLabs/North-Mini-Code-*"
  ],
  "deepseek-v3": [
    "deepseek-ai/DeepSeek-V3",
    "deepseek-ai/DeepSeek-V3-0324",
    "deepseek-ai/DeepSeek-R1*",
    "deepseek-ai/DeepSeek-V2.5*",
    "perplexity-ai/r1-1776"
  ],
  "deepseek-v3.1": [
    "deepseek-ai/DeepSeek-V3.1*"
  ],
  "deepseek-v3.2": [
    "deepseek-ai/DeepSeek-V3.2*",
    "deepseek-ai/DeepSeek-Math-V2"
  ],
  "deepseek-v4": [
    "deepseek-ai/DeepSeek-V4-*"
  ],
  "deepseek-v4.1": [
    "deepseek-ai/DeepSeek-V4.1-*"
  ],
  "dots": [
    "dots-studio/dots3-*"
  ],
  "ernie": [
    "baidu/ERNIE-4.5-21B-A3B-Thinking*",
    "baidu/ERNIE-4.5-VL-28B-A3B-Thinking*"
  ],
  "exaone-4": [
    "LGAI-EXAONE/EXAONE-4.*"
  ],
  "firefunction-2": [
    "fireworks-ai/llama-3-firefunction-v2"
  ],
  "functionary-3": [
    "meetkai/functionary-*-v3.1"
  ],
  "functiongemma": [
    "google/functiongemma-*"
  ],
  "gemma-3": [
    "google/gemma-3-*-it",
    "google/gemma-3n-*-it"
  ],
  "gemma-4": [
    "google/gemma-4-*",
    "google/diffusiongemma-*"
  ],
  "gigachat-3": [
    "ai-sage/GigaChat3-*",
    "ai-sage/GigaChat3.1-*"
  ],
  "gigachat-3.5": [
    "ai-sage/GigaChat3.5-*"
  ],
  "glm-4.5": [
    "zai-org/GLM-4.5*",
    "zai-org/GLM-4.6*",
    "THUDM/GLM-4.5*",
    "zai-org/GLM-GA*"
  ],
  "glm-4.7": [
    "zai-org/GLM-4.7*",
    "zai-org/GLM-5*",
    "RecursiveSI/flint*",
    "mindlab-research/Macaron-V1-*"
  ],
  "gpt-5": [
    "openai/gpt-5*"
  ],
  "gpt-oss": [
    "openai/gpt-oss-*",
    "llm-jp/llm-jp-4.1-*-thinking"
  ],
  "granite-20b-fc": [
    "ibm-granite/granite-20b-functioncalling"
  ],
  "granite-3": [
    "ibm-granite/granite-3.0-*",
    "ibm-granite/granite-3.2-*",
    "ibm-granite/granite-3.3-*"
  ],
  "granite-3.1": [
    "ibm-granite/granite-3.1-*"
  ],
  "granite-4": [
    "ibm-granite/granite-4.0-*",
    "ibm-granite/granite-4.1-*"
  ],
  "granite-4.2": [
    "ibm-granite/granite-4.2-*"
  ],
  "hermes": [
    "NousResearch/Hermes-2-Pro-*",
    "NousResearch/Hermes-2-Theta-*",
    "NousResearch/Hermes-3-*",
    "NousResearch/Hermes-4-*",
    "JetBrains/Mellum2-*",
    "bharatgenai/Param2-*",
    "Aleph-Alpha/Kolibri-1*",
    "tencent/Youtu-LLM-*",
    "EssentialAI/rnj-1*"
  ],
  "hunyuan": [
    "tencent/Hunyuan-A13B-*"
  ],
  "hy-3": [
    "tencent/Hy3*"
  ],
  "hy-4": [
    "tencent/Hy4*"
  ],
  "inkling": [
    "thinkingmachines/Inkling*"
  ],
  "intern-s1": [
    "internlm/Intern-S1*"
  ],
  "internlm": [
    "internlm/internlm2_5-*",
    "internlm/internlm3-*"
  ],
  "iquest-q1": [
    "IQuestLab/IQuest-Q1*"
  ],
  "jamba": [
    "ai21labs/AI21-Jamba-*",
    "ai21labs/Jamba-*"
  ],
  "k2-horizon": [
    "IFM/K2-Horizon-*",
    "IFM/Jais-3-*"
  ],
  "kimi-k2": [
    "moonshotai/Kimi-K2-*",
    "moonshotai/Kimi-K2.5*",
    "moonshotai/Kimi-K2.6*",
    "moonshotai/Kimi-K2.7-*",
    "moonshotai/Kimi-Linear-*"
  ],
  "kimi-k3": [
    "moonshotai/Kimi-K3*"
  ],
  "laguna": [
    "poolside/Laguna-*"
  ],
  "lfm-2": [
    "LiquidAI/LFM2-*",
    "LiquidAI/LFM2.5-*"
  ],
  "ling-3": [
    "inclusionAI/Ling-3*"
  ],
  "llama-3": [
    "meta-llama/Llama-3.1-*",
    "meta-llama/Meta-Llama-3.1-*",
    "meta-llama/Llama-3.2-*",
    "meta-llama/Llama-3.3-*",
    "nvidia/Llama-3.1-Nemotron-70B-*"
  ],
  "llama-3-pythonic": [
    "meta-llama/Llama-3.2-1B-Instruct",
    "meta-llama/Llama-3.2-3B-Instruct",
    "Team-ACE/ToolACE-*",
    "fixie-ai/ultravox-v0_4-ToolACE-*"
  ],
  "llama-4": [
    "meta-llama/Llama-4-*"
  ],
  "lm-studio": [],
  "longcat": [
    "meituan-longcat/LongCat-*"
  ],
  "longcat-2601": [
    "meituan-longcat/LongCat-Flash-Thinking-2601*",
    "meituan-longcat/LongCat-Flash-Thinking-ZigZag*",
    "meituan-longcat/LongCat-Flash-Lite*"
  ],
  "magistral": [
    "mistralai/Magistral-Small-2507",
    "mistralai/Magistral-Small-2509*",
    "mistralai/Magistral-Medium-*"
  ],
  "mimo-2": [
    "XiaomiMiMo/MiMo-V2*"
  ],
  "mimo-7b": [
    "XiaomiMiMo/MiMo-7B-*",
    "XiaomiMiMo/MiMo-VL-*"
  ],
  "minicpm-5": [
    "openbmb/MiniCPM5-*"
  ],
  "minimax-m1": [
    "MiniMaxAI/MiniMax-M1-*"
  ],
  "minimax-m2": [
    "MiniMaxAI/MiniMax-M2*"
  ],
  "minimax-m3": [
    "MiniMaxAI/MiniMax-M3*"
  ],
  "mistral-v11": [
    "mistralai/Mistral-Small-3.2-*",
    "mistralai/Magistral-Small-2506"
  ],
  "mistral-v13": [
    "mistralai/Ministral-3-*",
    "mistralai/Devstral-Small-2507*",
    "mistralai/Devstral-2-*",
    "mistralai/Devstral-Small-2-*",
    "mistralai/Mistral-Large-3-*",
    "mistralai/Mistral-Medium-3.5-*",
    "mistralai/Mistral-Small-4-*"
  ],
  "mistral-v3": [
    "mistralai/Mistral-7B-Instruct-v0.3",
    "mistralai/Mistral-Nemo-Instruct-2407",
    "mistralai/Mistral-Large-Instruct-24*",
    "mistralai/Mistral-Small-Instruct-2409",
    "mistralai/Mistral-Small-24B-Instruct-2501",
    "mistralai/Mistral-Small-3.1-*",
    "mistralai/Ministral-8B-Instruct-2410",
    "mistralai/Mixtral-8x22B-Instruct-v0.1"
  ],
  "muse": [
    "meta-models/Muse-Glimmer-*"
  ],
  "nemotron-2": [
    "nvidia/NVIDIA-Nemotron-Nano-*-v2*",
    "nvidia/Llama-3_3-Nemotron-Super-49B-v1_5"
  ],
  "nemotron-3": [
    "nvidia/NVIDIA-Nemotron-3-*",
    "nvidia/NVIDIA-Nemotron-3.5-*",
    "nvidia/Nemotron-3-*"
  ],
  "olmo-3": [
    "allenai/Olmo-3-*",
    "allenai/Olmo-3.1-*"
  ],
  "phi-4-mini": [
    "microsoft/Phi-4-mini-instruct",
    "microsoft/Phi-4-multimodal-instruct"
  ],
  "plamo-3": [
    "pfnet/plamo-3-*"
  ],
  "qwen2.5-coder": [
    "Qwen/Qwen2.5-Coder-*"
  ],
  "qwen3": [
    "Qwen/Qwen2.5-*",
    "Qwen/QwQ-32B*",
    "Qwen/Qwen3-0.6B*",
    "Qwen/Qwen3-1.7B*",
    "Qwen/Qwen3-4B*",
    "Qwen/Qwen3-8B*",
    "Qwen/Qwen3-14B*",
    "Qwen/Qwen3-32B*",
    "Qwen/Qwen3-30B-A3B*",
    "Qwen/Qwen3-235B-A22B*",
    "Qwen/Qwen3-Next-*",
    "Qwen/Qwen3-VL-*",
    "Alibaba-NLP/Tongyi-DeepResearch-*"
  ],
  "qwen3-coder": [
    "Qwen/Qwen3-Coder-*",
    "Qwen/Qwen3.5-*",
    "Qwen/Qwen3.6-*",
    "Qwen/Qwen3.8-*",
    "internlm/Intern-S2-*",
    "openbmb/MiniCPM-V-4.6*",
    "openbmb/MiniCPM-V-4.7*",
    "arcee-ai/Trinity-*-Thinking*",
    "Nanbeige/Nanbeige4*"
  ],
  "reka-edge": [
    "RekaAI/reka-edge*"
  ],
  "sarashina": [
    "sbintuitions/sarashina*"
  ],
  "seed-oss": [
    "ByteDance-Seed/Seed-OSS-*"
  ],
  "smollm-3": [
    "HuggingFaceTB/SmolLM3-*"
  ],
  "solar-open": [
    "upstage/Solar-Open-*"
  ],
  "spark-2.5": [
    "XHToken/Spark-X2.5-*"
  ],
  "step-3": [
    "stepfun-ai/step3*"
  ],
  "step-3.5": [
    "stepfun-ai/Step-3.5-*",
    "stepfun-ai/Step-3.7-*"
  ],
  "step-5": [
    "stepfun-ai/Step-5-*"
  ],
  "trinity": [
    "arcee-ai/Trinity-*"
  ],
  "xing-4": [
    "XingChen-AGI/Xing4.0-*"
  ],
  "xlam": [
    "Salesforce/Llama-xLAM-2-*",
    "Salesforce/xLAM-*-fc-r",
    "Salesforce/Qwen-xLAM-*"
  ]
};
