"""English as text: words, stems, names of software, dates, keys; nothing is understood here."""
