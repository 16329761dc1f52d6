// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of a network's list of layers as pure functions from document to document: each is one undo step.
// Sweeps of layers' parameters follow their layers. Any thread.
#pragma once

#include "compute/base/json.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heteroscope::ui {

struct NetworkEdit {
    Json document;
    std::vector<int> selected; ///< layers that are new, or that the keyboard should be on
};

/// A new layer of a type, with a free name and values that suit.
Json newLayer(const Json& document, const std::string& type);

/// After layer `after` (-1: the input): whoever read that one reads the new layer. One that joins also reads
/// `partner`, the name of another layer; empty: the same again.
NetworkEdit insertAfter(const Json& document, int after, const std::string& type,
                        const std::string& partner = {});
/// Between a layer and the input number `slot` that it has.
NetworkEdit insertOnEdge(const Json& document, int to, std::size_t slot, const std::string& type,
                         const std::string& partner = {});
/// Who read a removed layer reads what that one read first.
NetworkEdit removeLayers(const Json& document, const std::vector<int>& layers);
/// A layer with one input leaves its place and goes between a layer and its input number `slot`.
NetworkEdit moveOntoEdge(const Json& document, int layer, int to, std::size_t slot);
/// The name changes wherever it is read.
NetworkEdit renameLayer(const Json& document, int layer, const std::string& name);
NetworkEdit setInputs(const Json& document, int layer, const std::vector<std::string>& inputs);

/// Layers as text for the clipboard, and back. Pasted layers get free names and follow `after`.
std::string copyLayers(const Json& document, const std::vector<int>& layers);
/// Nothing when the text holds no layers.
std::optional<NetworkEdit> pasteLayers(const Json& document, int after, const std::string& text);

} // namespace heteroscope::ui
