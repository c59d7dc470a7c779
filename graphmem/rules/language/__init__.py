"""English as text: words, stems, names of software, dates, keys; without parsing."""
