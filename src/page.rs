//! HTML pages that stand alone: one file, which loads nothing.

/// The style of all pages: colours, which follow the reader's choice of light or dark.
const STYLE: &str = include_str!("page.css");

/// A page with this title. The policy keeps it from loading anything.
pub fn page(title: &str, style: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; \
         style-src 'unsafe-inline'; img-src data:\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n\
         {body}</body>\n</html>\n"
    )
}

/// Text as HTML and XML have it, in an attribute too. What XML 1.0 forbids (production 2, `Char`) becomes U+FFFD: most controls
/// and U+FFFE and U+FFFF.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{0}'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {
                escaped.push('\u{fffd}');
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

/// Bytes in base64 (RFC 4648, §4).
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            let is_padding = digit > chunk.len();
            let value = word >> (18 - 6 * digit) & 63;
            text.push(if is_padding { '=' } else { char::from(DIGITS[value as usize]) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// XML 1.0, production 2.
    #[test]
    fn characters_that_xml_forbids_are_replaced() {
        assert_eq!(escaped("a<b>\"&\t\n\r"), "a&lt;b&gt;&quot;&amp;\t\n\r");
        assert_eq!(escaped("\0\u{8}\u{b}\u{1b}\u{fffe}\u{ffff}"), "\u{fffd}".repeat(6));
        assert_eq!(escaped("\u{7f}\u{d7ff}\u{fffd}\u{1fffe}"), "\u{7f}\u{d7ff}\u{fffd}\u{1fffe}");
    }

    /// RFC 4648, §10.
    #[test]
    fn base64_is_that_of_its_document() {
        let vectors = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (bytes, text) in vectors {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}
