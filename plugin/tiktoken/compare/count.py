"""Counts the tokens of texts with tiktoken's own Python package.

    go run ./texts | python count.py FOLDER >../testdata/counts.txt

FOLDER has the vocabularies as tiktoken-go-loader carries them, so that nothing
is fetched; the package's own checksums of them are checked. Each line of the
input is a text in JSON. The output is the checksum of all the texts, then the
tokens of each in cl100k_base and in o200k_base.
"""

import base64
import hashlib
import json
import pathlib
import sys

import tiktoken
import tiktoken_ext.openai_public as public


def main(folder: pathlib.Path) -> None:
    def load(url: str, expected_hash: str) -> dict[bytes, int]:
        data = (folder / url.rsplit("/", 1)[1]).read_bytes()
        if hashlib.sha256(data).hexdigest() != expected_hash:
            raise ValueError(f"{url}: not the vocabulary that tiktoken wants")
        lines = (line.split() for line in data.splitlines())
        return {base64.b64decode(token): int(rank) for token, rank in lines}

    public.load_tiktoken_bpe = load
    encodings = [tiktoken.Encoding(**make()) for make in (public.cl100k_base, public.o200k_base)]

    texts = [json.loads(line) for line in sys.stdin]
    checksum = hashlib.sha256()
    for text in texts:
        checksum.update(text.encode() + b"\xff")
    print(checksum.hexdigest())
    for text in texts:
        print(*(len(encoding.encode_ordinary(text)) for encoding in encodings))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
