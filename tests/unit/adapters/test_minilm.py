"""The encoder: the real model for its vectors, a tiny one of random weights for how it is built and read."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from platformdirs import user_cache_dir
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from graphmem.adapters import minilm
from graphmem.adapters.minilm import NumpyNetwork, TextEncoder, open_bert, open_onnx, read_tokenizer
from graphmem.adapters.model_assets import Floats, ensure_minilm, read_bert
from graphmem.errors import SettingsInvalid, SetupFailed

TEXTS = [
    "This is an example sentence",
    "Postgres runs on port 5432.",
    "",
    "The billing service depends on the ledger, which Alice moved to CockroachDB in March; Bob was not told.",
    "数据库在周五迁移",
    "naïve café ☕ 🧠",
    "word " * 60,
]
LONG = "word " * 2000


@pytest.fixture(scope="module")
def folder() -> Path:
    return ensure_minilm(Path(os.environ.get("GRAPHMEM_CACHE_DIR") or user_cache_dir("graphmem")))


@pytest.fixture(scope="module")
def floats(folder: Path) -> TextEncoder:
    return TextEncoder(read_tokenizer(folder), NumpyNetwork(read_bert(folder)))


@pytest.fixture(scope="module")
def built(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> TextEncoder:
    return open_bert(folder, tmp_path_factory.mktemp("built") / "network.onnx", threads=2)


@pytest.fixture(scope="module")
def together(floats: TextEncoder, built: TextEncoder) -> tuple[Floats, Floats]:
    """The vectors of all texts in one batch, by each network."""
    return encode(floats, *TEXTS), encode(built, *TEXTS)


def encode(encoder: TextEncoder, *texts: str) -> Floats:
    return encoder.encode(encoder.tokenise(texts))


def test_float_vector_is_the_one_upstream_documents(floats: TextEncoder) -> None:
    assert np.round(floats.check()[:4], 4).tolist() == pytest.approx([0.0677, 0.0635, 0.0487, 0.0793], abs=2e-4)


def test_both_networks_give_the_same_vectors(
    floats: TextEncoder, built: TextEncoder, together: tuple[Floats, Floats]
) -> None:
    by_numpy, by_network = together
    assert (by_numpy * by_network).sum(axis=1).min() > 0.9995
    assert (encode(floats, LONG) * encode(built, LONG)).sum() > 0.9995


def test_vectors_have_length_1(built: TextEncoder) -> None:
    vectors = encode(built, *TEXTS)
    assert vectors.shape == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_text_has_the_same_vector_alone_and_in_a_batch(
    floats: TextEncoder, built: TextEncoder, together: tuple[Floats, Floats]
) -> None:
    for encoder, vectors in zip((floats, built), together, strict=True):
        alone = np.concatenate([encode(encoder, text) for text in TEXTS])
        assert (vectors * alone).sum(axis=1).min() > 0.9999


def test_order_in_the_batch_does_not_matter(built: TextEncoder, together: tuple[Floats, Floats]) -> None:
    turned = encode(built, *reversed(TEXTS))[::-1]
    assert (together[1] * turned).sum(axis=1).min() > 0.9999


def test_text_is_cut_at_256_tokens(built: TextEncoder) -> None:
    assert [len(ids) for ids in built.tokenise([LONG, ""])] == [256, 2]
    short, long = encode(built, "word " * 254, "word " * 9000)
    assert short @ long > 0.9999


def test_half_a_surrogate_pair_is_embedded(built: TextEncoder) -> None:
    assert np.isfinite(encode(built, "broken \ud83d emoji")).all()


def test_meaning_decides_nearness(built: TextEncoder) -> None:
    question, answer, other = encode(
        built, "Which database do we use?", "Our data lives in Postgres.", "The cat sleeps on the sofa."
    )
    assert question @ answer > question @ other + 0.2


# A tiny model


def write_tiny(folder: Path, *, width: int = 48, positions: int = 300, prefix: str = "", **config: object) -> Path:
    """A model folder with two layers of random weights; 48 is no power of two."""
    folder.mkdir()
    random, inner, words = (
        np.random.default_rng(7),
        2 * width,
        ["[UNK]", "[CLS]", "[SEP]", "this", "is", "an"],
    )
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(words), width),
        "embeddings.position_embeddings.weight": (positions, width),
        "embeddings.token_type_embeddings.weight": (2, width),
    }
    norms = ["embeddings.LayerNorm"]
    for layer in range(2):
        name = f"encoder.layer.{layer}"
        norms += [f"{name}.attention.output.LayerNorm", f"{name}.output.LayerNorm"]
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            shapes |= {
                f"{name}.attention.{part}.weight": (width, width),
                f"{name}.attention.{part}.bias": (width,),
            }
        shapes |= {
            f"{name}.intermediate.dense.weight": (inner, width),
            f"{name}.intermediate.dense.bias": (inner,),
        }
        shapes |= {f"{name}.output.dense.weight": (width, inner), f"{name}.output.dense.bias": (width,)}
    tensors = {name: random.normal(0, 0.2, shape).astype("<f4") for name, shape in shapes.items()}
    for norm in norms:
        tensors[f"{norm}.weight"] = np.ones(width, dtype="<f4")
        tensors[f"{norm}.bias"] = np.zeros(width, dtype="<f4")
    header: dict[str, object] = {}
    data = b""
    for name, values in tensors.items():
        place = [len(data), len(data) + values.nbytes]
        header[prefix + name] = {"dtype": "F32", "shape": values.shape, "data_offsets": place}
        data += values.tobytes()
    head = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(len(head).to_bytes(8, "little") + head + data)
    (folder / "config.json").write_text(json.dumps({"num_attention_heads": 4, "layer_norm_eps": 1e-12} | config))
    tokenizer = Tokenizer(WordLevel({word: place for place, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)])
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write_tiny(tmp_path / "tiny")


@pytest.mark.parametrize("prefix", ["", "bert."])
def test_other_bert_models_work_too(tmp_path: Path, prefix: str) -> None:
    folder = write_tiny(tmp_path / "model", prefix=prefix)
    built = open_bert(folder, tmp_path / "cache" / "network.onnx", threads=1)
    floats = TextEncoder(read_tokenizer(folder), NumpyNetwork(read_bert(folder)))
    cosines = (encode(built, "this is", "an") * encode(floats, "this is", "an")).sum(axis=1)
    assert cosines.min() > 0.99
    assert [path.name for path in (tmp_path / "cache").iterdir() if path.suffix != ".lock"] == ["network.onnx"]


def test_model_of_few_positions_cuts_earlier(tmp_path: Path) -> None:
    folder = write_tiny(tmp_path / "model", positions=40)
    built = open_bert(folder, tmp_path / "network.onnx", threads=1)
    assert np.isfinite(encode(built, "this is " * 100)).all()
    (tmp_path / "network.onnx").replace(folder / "model.onnx")
    with pytest.raises(SettingsInvalid, match="onnxruntime refuses"):
        open_onnx(folder, threads=1)


def test_pooling_of_the_folder_is_used(tiny: Path, tmp_path: Path) -> None:
    mean = open_bert(tiny, tmp_path / "mean.onnx", threads=1)
    (tiny / "1_Pooling").mkdir()
    (tiny / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    cls = open_bert(tiny, tmp_path / "cls.onnx", threads=1)
    assert (mean.pooling, cls.pooling) == ("mean", "cls")
    assert abs(float(mean.check() @ cls.check())) < 0.99


def test_network_is_built_once(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = open_bert(tiny, tmp_path / "network.onnx", threads=1)
    monkeypatch.setattr(minilm, "onnx_network", None)
    assert open_bert(tiny, tmp_path / "network.onnx", threads=1).check() @ first.check() > 0.9999


@pytest.mark.parametrize("content", [b"", b"not a network", None])
def test_bad_network_in_the_cache_is_built_again(tiny: Path, tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "network.onnx"
    whole = open_bert(tiny, path, threads=1)
    size = path.stat().st_size
    path.write_bytes(path.read_bytes()[: size // 2] if content is None else content)
    assert open_bert(tiny, path, threads=1).check() @ whole.check() > 0.9999
    assert path.stat().st_size == size


def test_network_of_other_weights_is_refused(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = minilm.onnx_network(read_bert(write_tiny(tmp_path / "other", num_attention_heads=2)))
    monkeypatch.setattr(minilm, "onnx_network", lambda _model: other)
    with pytest.raises(SetupFailed, match=r"gives other vectors here.*GRAPHMEM_EMBEDDING_URL"):
        open_bert(tiny, tmp_path / "built" / "network.onnx", threads=1)
    assert [path.suffix for path in (tmp_path / "built").iterdir()] in ([], [".lock"])


def test_folder_that_cannot_be_written_is_explained(tiny: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(SetupFailed, match="GRAPHMEM_CACHE_DIR"):
        open_bert(tiny, tmp_path / "file" / "network.onnx", threads=1)


def test_numpy_stands_in_for_onnxruntime(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = open_bert(tiny, tmp_path / "network.onnx", threads=1)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    encoder = open_bert(tiny, tmp_path / "network.onnx", threads=1)
    assert isinstance(encoder.network, NumpyNetwork)
    assert encoder.check() @ built.check() > 0.99
    with pytest.raises(SetupFailed, match="needs onnxruntime"):
        open_onnx(tiny, threads=1)


@pytest.mark.parametrize("setting", [{"model_type": "roberta"}, {"hidden_act": "relu"}, {"num_attention_heads": 7}])
def test_other_architecture_is_refused(tmp_path: Path, setting: dict[str, object]) -> None:
    with pytest.raises(SettingsInvalid, match="is not a BERT encoder"):
        read_bert(write_tiny(tmp_path / "model", **setting))


def test_exported_network_is_used_as_it_is(tiny: Path, tmp_path: Path) -> None:
    built = open_bert(tiny, tmp_path / "network.onnx", threads=1)
    (tmp_path / "network.onnx").replace(tiny / "model.onnx")
    assert encode(open_onnx(tiny, threads=1), "this is") @ encode(built, "this is")[0] == pytest.approx(1, abs=1e-4)


def test_network_with_token_types_and_pooled_output_is_used(tiny: Path) -> None:
    import onnx
    from onnx import TensorProto, helper

    names = ("input_ids", "attention_mask", "token_type_ids")
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["b", "t"]) for name in names]
    nodes = [
        helper.make_node("Cast", ["input_ids"], ["last_hidden_state"], to=TensorProto.FLOAT),
        helper.make_node("Slice", ["last_hidden_state", "zero", "two", "one"], ["sentence_embedding"]),
    ]
    outputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["b", size])
        for name, size in (("last_hidden_state", "t"), ("sentence_embedding", 2))
    ]
    constants = [
        helper.make_tensor(name, TensorProto.INT64, [1], [value])
        for name, value in (("zero", 0), ("one", 1), ("two", 2))
    ]
    graph = helper.make_graph(nodes, "pooled", inputs, outputs, constants)
    onnx.save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9),
        tiny / "model.onnx",
    )
    vector = encode(open_onnx(tiny, threads=1), "this is")[0]
    assert vector.tolist() == pytest.approx([1 / 10**0.5, 3 / 10**0.5], abs=1e-5)


def test_broken_files_of_a_folder_are_named(tiny: Path) -> None:
    (tiny / "model.onnx").write_bytes(b"nothing")
    with pytest.raises(SettingsInvalid, match=r"refuses .*model\.onnx"):
        open_onnx(tiny, threads=1)
    (tiny / "config.json").write_text("{")
    with pytest.raises(SettingsInvalid, match=r"config\.json is not JSON"):
        read_bert(tiny)
    (tiny / "tokenizer.json").write_text("{}")
    with pytest.raises(SettingsInvalid, match=r"tokenizer\.json is not a tokenizer"):
        read_tokenizer(tiny)


def test_onnxruntime_reports_nothing_and_leaves_no_device_id(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    program = "from graphmem.adapters.minilm import load_onnxruntime; load_onnxruntime().get_device()"
    subprocess.run([sys.executable, "-c", program], env=environ, check=True, timeout=120)
    assert not list(tmp_path.rglob("*"))
