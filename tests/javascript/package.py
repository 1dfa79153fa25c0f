"""The npm package as its users have it: packed, installed in an empty project, in each runtime.

Not named `test_...`: the session `javascript` names it, since it needs npm packages.
"""

import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from commoncall.payload import load_profile
from tests.evidence.integrations.script import LEAKED, MODEL, TOOL, Script
from tests.evidence.integrations.strict_server import Log, Reply, running

ROOT = Path(__file__).parents[2]
HERE = ROOT / "tests" / "javascript"
PACKAGE = ROOT / "reference" / "javascript"
FIXTURES = ROOT / "fixtures" / "v1"
USE = ROOT / "spec" / "use"
LIMIT = 120_000
"""How many bytes all contracts may have, minified and compressed: a fifth more than they have, so
that a table or a package that came along by mistake is noticed, and a rule is not.
"""

OF_ONE = 12_000
"""How many bytes one operation of payload may have, minified, with the form of its input."""

ASKED = 4000
"""At least so many golden cases apply to the package."""

BUN = HERE / "node_modules/@oven/bun-linux-x64/bin/bun"
DENO = HERE / "node_modules/@deno/linux-x64-glibc/deno"
"""Where their packages for this system have them; what would put them elsewhere is a script."""

RUNTIMES = {
    "node": ["node"],
    "deno": [str(DENO), "run", "-A", "--no-lock"],
    "bun": [str(BUN)],
}
STRICT = (
    "--strict --noEmit --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck "
    "--target es2022 --lib es2022,dom,dom.asynciterable --module nodenext"
)
BLOCK = re.compile(r"^```js\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OUTPUT = re.compile(r"^console\.log\(.*\); // (\{.*)$", re.MULTILINE)


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    """Run a command of the project, or of Node; returns what it prints."""
    path = f"{HERE / 'node_modules' / '.bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, "PATH": path, "NO_COLOR": "1", **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def packed(target: Path) -> Path:
    run("npm", "pack", "--silent", "--pack-destination", target, cwd=PACKAGE)
    [file] = target.glob("*.tgz")
    return file


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty project with the package, and the packages of others beside it."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    tarball = packed(tmp_path_factory.mktemp("packed"))
    run("npm", "install", "--offline", "--no-audit", "--no-fund", tarball, cwd=folder)
    for other in (HERE / "node_modules").iterdir():
        if other.name[0] != ".":
            (folder / "node_modules" / other.name).symlink_to(other)
    for file in [*HERE.glob("*.mjs"), *USE.glob("*.mjs")]:
        shutil.copy(file, folder)
    return folder


def test_packing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert packed(tmp_path / "a").read_bytes() == packed(tmp_path / "b").read_bytes()


def test_the_package_has_what_a_package_needs() -> None:
    assert "All good!" in run("publint", PACKAGE, cwd=ROOT)


def test_vitest_passes_over_the_vendored_fixtures(project: Path) -> None:
    report = project / "vitest.json"
    run(
        "vitest",
        "run",
        "--testTimeout=0",
        "--reporter=json",
        f"--outputFile={report}",
        cwd=project,
        FIXTURES=str(FIXTURES),
    )
    found = json.loads(report.read_bytes())
    assert found["numPassedTests"] == found["numTotalTests"] > ASKED


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_every_case_holds_in_every_runtime(runtime: str, project: Path) -> None:
    if not shutil.which(RUNTIMES[runtime][0]):
        pytest.skip(f"NOT RUN: there is no {runtime} here")
    places = {"FIXTURES": str(FIXTURES), "DENO_DIR": str(project / ".deno")}
    found = json.loads(run(*RUNTIMES[runtime], "cases.mjs", cwd=project, **places))
    assert found["failed"] == []
    assert found["asked"] > ASKED


def test_every_case_holds_in_a_browser(project: Path) -> None:
    chromium = shutil.which("chromium") or pytest.skip("NOT RUN: there is no chromium")
    bundle(project, "page.mjs", "page.js")
    (project / "page.html").write_text('<script type="module" src="page.js"></script>')
    fixtures = project / "fixtures"
    if not fixtures.exists():
        fixtures.symlink_to(FIXTURES)
    with served(project) as address:
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=600000"]
        page = run(chromium, *options, "--dump-dom", f"{address}/page.html", cwd=project)
    found = json.loads(page.partition("<body>")[2].partition("</body>")[0])
    assert found["failed"] == []
    assert found["asked"] > ASKED


@functools.cache
def bundle(project: Path, source: str, target: str) -> bytes:
    run(
        "esbuild",
        source,
        "--bundle",
        "--minify",
        "--format=esm",
        f"--outfile={target}",
        cwd=project,
    )
    return (project / target).read_bytes()


def test_all_contracts_are_small(project: Path) -> None:
    (project / "all.mjs").write_text("export * from 'commoncall';")
    bundle(project, "all.mjs", "all.js")
    size = "require('zlib').gzipSync(require('fs').readFileSync('all.js'), {level: 9}).length"
    assert int(run("node", "--input-type=commonjs", "-p", size, cwd=project)) <= LIMIT


def test_one_contract_does_not_bring_the_others(project: Path) -> None:
    (project / "one.mjs").write_text("export {checkToolCall} from 'commoncall';")
    assert len(bundle(project, "one.mjs", "one.js")) <= OF_ONE


def test_the_example_of_the_readme_prints_what_it_says(project: Path) -> None:
    [example, *_] = BLOCK.findall((PACKAGE / "README.md").read_text(encoding="utf-8"))
    (project / "example.mjs").write_text(example)
    assert OUTPUT.findall(example)[0] == run("node", "example.mjs", cwd=project).splitlines()[0]


def test_the_openai_package_takes_what_prepare_gives(project: Path) -> None:
    shutil.copy(HERE / "typed_loop.ts", project)
    run("tsc", *STRICT.split(), "typed_loop.ts", cwd=project)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on loopback; gives its address."""
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


# The pages, against the strict server.

SET_UP = next(
    block
    for block in BLOCK.findall((USE / "javascript.md").read_text(encoding="utf-8"))
    if "const sending" in block
)
CALL = f"""
const client = new OpenAI({{baseURL: process.env.ADDRESS, apiKey: 'x', maxRetries: 0}});
const tools = [{json.dumps(TOOL)}];
const request = {{model: '{MODEL}', messages: [{{role: 'user', content: 'Tide?'}}], tools}};
const run = {{get_tide: async ({{port}}) => `high at ${{port}}`}};
"""
AI_SDK = f"""
import {{createOpenAICompatible}} from '@ai-sdk/openai-compatible';
import {{generateText, isStepCount, streamText, tool}} from 'ai';
import {{z}} from 'zod';
import {{guarded}} from './guarded.mjs';

const provider = createOpenAICompatible({{
  name: 'vllm', baseURL: process.env.ADDRESS, fetch: guarded(sending, reading),
}});
const settings = {{
  model: provider('{MODEL}'), prompt: 'Tide?', stopWhen: isStepCount(5),
  tools: {{get_tide: tool({{
    inputSchema: z.object({{port: z.string()}}), execute: ({{port}}) => `high at ${{port}}`,
  }})}},
}};
"""


def answer(project: Path, code: str, script: Any) -> tuple[str, Log]:
    """Run code behind the set-up of the page; returns what it prints."""
    (project / "called.mjs").write_text(SET_UP + code)
    with running(script, load_profile("vllm")) as log:
        printed = run("node", "called.mjs", cwd=project, ADDRESS=log.address)
    assert log.refused == []
    return printed.strip(), log


def test_the_loop(project: Path) -> None:
    code = "console.log(await converse(client, request, run, sending, reading));"
    assert answer(project, CALL + code, Script())[0] == "High at Brest."


def streamed(project: Path, script: Any) -> str:
    code = """
import {converseStreaming} from './loop.mjs';
let shown = '';
const show = ({text = ''}) => { shown += text; };
await converseStreaming(client, request, run, sending, reading, show);
console.log(shown);
"""
    return answer(project, CALL + code, script)[0]


def test_the_loop_while_it_streams(project: Path) -> None:
    assert streamed(project, Script()) == "High at Brest."


def cut_off(reply: Reply, _: object) -> Reply:
    return reply


@pytest.mark.parametrize("is_reset", [False, True])
def test_a_stream_that_breaks_off_is_shown_and_runs_nothing(is_reset: bool, project: Path) -> None:
    message = {"role": "assistant", "content": "It is " + LEAKED}
    script = functools.partial(cut_off, Reply(message, chunks=4, is_reset=is_reset))
    assert streamed(project, script) == "It is <tool_cal"


def test_the_ai_sdk(project: Path) -> None:
    code = "console.log((await generateText(settings)).text);"
    assert answer(project, AI_SDK + code, Script())[0] == "High at Brest."


def test_the_ai_sdk_while_it_streams(project: Path) -> None:
    code = """
let shown = '';
for await (const text of streamText(settings).textStream) shown += text;
console.log(shown);
"""
    printed, log = answer(project, AI_SDK + code, Script(broken=False))
    assert printed == "High at Brest."
    assert log.requests[-1]["messages"][-1]["content"] == "high at Brest"
