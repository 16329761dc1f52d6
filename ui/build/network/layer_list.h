// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of a document with names and inputs written out, to be changed and written back. Any thread.
#pragma once

#include "compute/base/json.h"

#include <string>
#include <vector>

namespace heteroscope::ui {

class LayerList {
  public:
    explicit LayerList(const Json& document);

    int size() const { return static_cast<int>(m_items.size()); }
    std::string name(int layer) const; ///< "input" for -1
    std::vector<std::string> inputs(int layer) const;
    Json explicitLayer(int layer) const; ///< with name and inputs
    /// `wanted` when it is free and not empty, else the stem with the first number that is.
    std::string freeName(const std::string& stem, const std::string& wanted = {}) const;

    void insert(std::size_t place, Json layer, std::vector<std::string> inputs);
    void remove(int layer);
    /// To another place of the list, counted as if it were not in it.
    void move(int layer, std::size_t place);
    void rename(int layer, const std::string& name);
    void setInputs(int layer, std::vector<std::string> inputs);
    /// Layers from `first` on that read `from` read `to`.
    void redirect(const std::string& from, const std::string& to, std::size_t first = 0);

    /// The document with these layers, inputs left out where they are the layer before.
    Json written() const;

  private:
    struct Item {
        Json layer;
        std::string name;
        std::vector<std::string> inputs;
        int origin = -1; ///< its number in the document; -1: new
    };
    void leaveView(int layer);
    void renameInView(const std::string& from, const std::string& to);
    void writeView(Json& network) const;
    Json withAxes(Json document) const;
    std::string movedPointer(const std::string& pointer) const;

    Json m_document;
    std::vector<Item> m_items;
    Json m_view; ///< groups and places, by names of layers
};

} // namespace heteroscope::ui
