"""The check of the built site: what it has to find, and what it has to leave alone."""

from pathlib import Path

import pytest

from tools.finish import check_site, main, trim

CLEAN = """<!doctype html>
<html lang="en"><head>
<link rel="canonical" href="https://example.org/">
<link rel="stylesheet" href="assets/site.css">
<script src="assets/site.js"></script>
</head><body>
<h1 id="top">Top</h1>
<a href="#top">here</a> <a href="page/#PAY-001">there</a> <a href="page/index.html">again</a>
<a href="/page/">from the root</a> <a href="https://example.org/x#y">elsewhere</a>
<a href="mailto:a@example.org">mail</a> <a href="javascript:void(0)">nothing</a> <a href="#">up</a>
<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="">
<a href="a%20file.json?raw#l1">a file with a blank</a>
<pre><code>[one][two] and [three][]</code></pre>
</body></html>
"""
PAGE = '<h2 id="PAY-001">PAY-001</h2><a id="old">a</a><a href="..">up</a>'


def site(tmp_path: Path, **more: str) -> Path:
    files = {
        "index.html": CLEAN,
        "page/index.html": PAGE,
        "a file.json": "{}",
        "assets/site.css": "body { background: url('data:,x') } /* url(https://example.org/) */",
        "assets/site.js": "",
    }
    for name, text in (files | more).items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path


def test_a_clean_site_has_no_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_site(site(tmp_path))[0] == []
    assert main([str(tmp_path)]) == 0
    assert "2 pages" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("html", "problem"),
    [
        ('<p id="a"></p><p id="a"></p>', "the id a stands 2 times"),
        ('<a href="gone/">x</a>', "a dead link: gone/"),
        ('<a href="../outside.html">x</a>', "a dead link: ../outside.html"),
        ('<a href="/gone">x</a>', "a dead link: /gone"),
        ('<a href="assets/">x</a>', "a dead link: assets/"),
        ('<a href="page/#pay-001">x</a>', "a dead anchor: page/#pay-001"),
        ('<a href="#nowhere">x</a>', "a dead anchor: #nowhere"),
        ('<details><a href="gone">x</a></details>', "a dead link: gone"),
        ('<svg><a href="gone"><text>x</text></a></svg>', "a dead link: gone"),
        ('<img src="gone.png" alt="">', "a dead image or file: gone.png"),
        ('<img src="https://example.org/x.png" alt="">', "an asset from elsewhere"),
        ('<script src="//unpkg.com/mermaid@11"></script>', "an asset from elsewhere"),
        (
            '<link rel="stylesheet" href="https://fonts.googleapis.com/css">',
            "an asset from elsewhere",
        ),
        ('<link rel="preconnect" href="https://fonts.gstatic.com">', "an asset from elsewhere"),
        ('<link rel="icon" href="gone.ico">', "a dead image or file: gone.ico"),
        ("<style>@import 'https://example.org/a.css';</style>", "an asset from elsewhere"),
        ('<p style="background: url(https://example.org/a)">x</p>', "an asset from elsewhere"),
        ('<iframe src="https://example.org/"></iframe>', "an asset from elsewhere"),
        ("<p>See [PAY-001][] for it.</p>", "an undefined reference link"),
        ("<p><code>[]</code>[a][b]</p>", "an undefined reference link"),
    ],
)
def test_each_defect_is_found(
    html: str, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site(tmp_path, **{"bad.html": html})
    problems, _, _ = check_site(tmp_path)
    assert len(problems) == 1
    assert problems[0].startswith("bad.html")
    assert problem in problems[0]
    assert main([str(tmp_path)]) == 1
    assert problem in capsys.readouterr().err


def test_a_font_in_a_stylesheet_is_an_asset(tmp_path: Path) -> None:
    css = "@font-face { src: url(https://example.org/a.woff2) } i { background: url(gone.png) }"
    problems, _, _ = check_site(site(tmp_path, **{"assets/site.css": css}))
    assert problems == [
        "assets/site.css: an asset from elsewhere: https://example.org/a.woff2",
        "assets/site.css: a dead image or file: gone.png",
    ]


def test_indents_go_but_in_what_is_shown_as_it_stands(tmp_path: Path) -> None:
    kept = "<pre>a\n\n  b</pre>\n<script>x\n  y</script>"
    page = site(tmp_path, **{"page/index.html": f"<p>one\n   two</p>  \n\n  {kept}"})
    trim(page)
    assert (page / "page/index.html").read_text() == f"<p>one\ntwo</p>\n{kept}"


def test_no_page_is_a_failure(tmp_path: Path) -> None:
    assert main([str(tmp_path)]) == 1


def test_no_folder_is_a_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([str(tmp_path / "gone")])
    assert stop.value.code == 2
    assert "no folder" in capsys.readouterr().err
