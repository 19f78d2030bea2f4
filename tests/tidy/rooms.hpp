#pragma once

// The rooms of the house: folders with a name of the field, in order, and the units in them.
//
// A room includes itself and the rooms before it in its list. A unit is a header with the source of
// the same name beside it, or a header, a source or a module of the page alone. Units include each
// other without circles, and a source defines what its own header declares and nothing else that
// others see. What specialises templates for one level of processors (NAME_avx2.cpp) has no header.

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tidy/rules.hpp"

namespace macrostep::tests::tidy {

constexpr std::size_t maximum_files = 20;  // source files in one folder; about 15 is usual

struct House {
  std::string_view folder;
  std::vector<std::string_view> rooms;  // in order
};
const std::vector<House>& houses();

// The folders of the product and the tests have at most `maximum_files` source files each: C, C++,
// TypeScript, JavaScript, Python and shell, no READMEs, CMake files or data.
std::vector<Finding> check_room_sizes(std::span<const SourceFile> files);

// No include from a later room, and no source file below a house that is in none of its rooms.
std::vector<Finding> check_room_order(std::span<const SourceFile> files,
                                      std::span<const House> houses);

// Every room is named, as `room`, in a README.md of its house or of a folder above it.
std::vector<Finding> check_room_readmes(std::span<const SourceFile> files,
                                        std::span<const House> houses);

// Circles of units: one finding for each, with all its units in alphabetical order.
std::vector<Finding> check_circles(std::span<const SourceFile> files);

// A source has a header of its name beside it, includes it first, and every function and method
// that it defines for others is declared there. Sources named main.cpp are programs.
std::vector<Finding> check_own_header(std::span<const SourceFile> files);

// Comments are understood without the line above: none begins with "Of" or "The same".
std::vector<Finding> check_comments(const SourceFile& file);

// Findings by what they say of which file, with the number of lines that say it: the form in which
// known violations are listed, one `COUNT PATH: RULE` a line.
using Counted = std::map<std::string, std::size_t>;
Counted counted(std::span<const Finding> findings);
Counted read_known(std::string_view text);

// What is worse than the list, and what is better and has to leave it: the list only shrinks.
std::string beyond_known(const Counted& found, const Counted& known);

}  // namespace macrostep::tests::tidy
