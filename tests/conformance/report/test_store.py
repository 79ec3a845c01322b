"""Storing what notebooks show: each by itself, and nothing that another run would not show."""

import nbformat

from conformance.report.store import VIEW, store, store_all

SHOW = 'from IPython.display import display\n\ndisplay({{"text/plain": "{}", "{}": {{"model_id": "1"}}}}, raw=True)'


def written(file, source):
    parameters = nbformat.v4.new_code_cell('books: str = "x"')
    parameters.metadata = {"tags": ["parameters"]}
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [parameters, nbformat.v4.new_code_cell(source)]
    nbformat.write(notebook, file)
    return file


def test_a_view_is_not_stored_and_one_that_fails_leaves_the_others_alone(tmp_path, capsys):
    written(tmp_path / "a.ipynb", "1 / 0")
    good = written(tmp_path / "b.ipynb", SHOW.format("seven", VIEW))
    assert store_all(tmp_path) == 2
    told = capsys.readouterr().err
    assert "a.ipynb:1: cell 2 of the notebook failed (ZeroDivisionError: division by zero)" in told
    assert told.endswith("b.ipynb: stored\n")
    (output,) = nbformat.read(good, as_version=4).cells[1].outputs
    assert output.data == {"text/plain": "seven"}
    assert not store(good)
