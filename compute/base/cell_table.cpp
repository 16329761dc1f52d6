// SPDX-License-Identifier: Apache-2.0
#include "compute/base/cell_table.h"

#include "compute/base/csv_cell.h"

namespace heteroscope {

CellTable& CellTable::append(std::string_view cell) {
    if (m_begun)
        m_text += m_form == Form::Csv ? ',' : '\t';
    m_begun = true;
    m_text += cell;
    return *this;
}

CellTable& CellTable::cell(std::string_view text) {
    return append(m_form == Form::Csv ? csvCell(text) : tsvCell(text));
}

CellTable& CellTable::cells(std::initializer_list<std::string_view> texts) {
    for (const std::string_view text : texts)
        cell(text);
    return *this;
}

void CellTable::endLine() {
    m_text += '\n';
    m_begun = false;
}

void CellTable::line(std::initializer_list<std::string_view> texts) {
    cells(texts);
    endLine();
}

CellTable& CellTable::cellsOf(const CellTable& begun) {
    return append(begun.m_text);
}

} // namespace heteroscope
