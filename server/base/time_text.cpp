#include "server/base/time_text.hpp"

#include <array>
#include <cstddef>
#include <cstdio>

namespace macrostep::server {

namespace {

using std::chrono::milliseconds;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Takes text apart from its beginning; once something is missing, so is everything after it.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool fits() const { return fits_; }
  bool at_end() const { return rest_.empty(); }

  /// A number of exactly so many digits.
  int number(std::size_t digits) {
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (i >= rest_.size() || !is_digit(rest_[i])) {
        fits_ = false;
        return 0;
      }
      value = 10 * value + (rest_[i] - '0');
    }
    rest_.remove_prefix(digits);
    return value;
  }

  /// One of these characters; 0 if there is none.
  char one_of(std::string_view characters) {
    if (rest_.empty() || characters.find(rest_.front()) == characters.npos) {
      return 0;
    }
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  void expect(std::string_view characters) { fits_ = one_of(characters) != 0 && fits_; }

 private:
  std::string_view rest_;
  bool fits_ = true;
};

/// The fraction of a second.
struct Fraction {
  milliseconds whole{0};
  bool has_more = false;
};

Fraction read_fraction(Scanner& scanner) {
  constexpr int whole_digits = 3;
  Fraction fraction;
  int digits = 0;
  while (const char digit = scanner.one_of("0123456789")) {
    if (++digits <= whole_digits) {
      fraction.whole = 10 * fraction.whole + milliseconds(digit - '0');
    } else {
      fraction.has_more = fraction.has_more || digit != '0';
    }
  }
  if (digits == 0) {
    scanner.expect("0123456789");
  }
  for (; digits < whole_digits; ++digits) {
    fraction.whole *= 10;
  }
  return fraction;
}

}  // namespace

std::string utc_text(Milliseconds time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()),
                static_cast<int>(clock.subseconds().count()));
  return text.data();
}

std::optional<TimeBounds> time_from(std::string_view text) {
  Scanner scanner(text);
  const int year = scanner.number(4);
  scanner.expect("-");
  const int month = scanner.number(2);
  scanner.expect("-");
  const int day = scanner.number(2);
  scanner.expect("Tt");
  const int hour = scanner.number(2);
  scanner.expect(":");
  const int minute = scanner.number(2);
  scanner.expect(":");
  const int second = scanner.number(2);
  const auto fraction = scanner.one_of(".") != 0 ? read_fraction(scanner) : Fraction();
  std::chrono::minutes offset{0};
  if (const char sign = scanner.one_of("+-")) {
    const int hours = scanner.number(2);
    scanner.expect(":");
    const int minutes = scanner.number(2);
    if (hours > 23 || minutes > 59) {
      return std::nullopt;
    }
    offset = std::chrono::hours(hours) + std::chrono::minutes(minutes);
    offset = sign == '+' ? offset : -offset;
  } else {
    scanner.expect("Zz");
  }
  const auto date = std::chrono::year(year) / month / day;
  // A leap second is the first of the next minute.
  const bool is_time =
      date.ok() && year > 0 && hour <= 23 && minute <= 59 && second <= 60 && scanner.fits();
  if (!is_time || !scanner.at_end()) {
    return std::nullopt;
  }
  const Milliseconds time = std::chrono::sys_days(date) + std::chrono::hours(hour) +
                            std::chrono::minutes(minute) + std::chrono::seconds(second) +
                            fraction.whole - offset;
  const std::chrono::year_month_day utc(std::chrono::floor<std::chrono::days>(time));
  const bool has_four_digits =
      utc.year() > std::chrono::year(0) && utc.year() <= std::chrono::year(9999);
  if (!has_four_digits) {
    return std::nullopt;
  }
  return TimeBounds{.not_after = time,
                    .not_before = time + milliseconds(fraction.has_more ? 1 : 0)};
}

Milliseconds stored_time(std::string_view text) {
  const auto time = time_from(text);
  return time ? time->not_after : Milliseconds{};
}

}  // namespace macrostep::server
