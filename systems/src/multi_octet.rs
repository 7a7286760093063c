//! Character sets of one to four octets, as the Encoding Standard has them.

/// A character set of octets and pairs of octets, by an index of the Encoding Standard. Two of them have forms of three or four octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MultiOctet {
    /// `gbk`: decodes as `gb18030`, encodes to pairs only.
    Gbk,
    /// `gb18030`, as of 2022: octets, pairs, and four octets for all other code points of Unicode.
    Gb18030,
    /// `shift-jis`.
    ShiftJis,
    /// `euc-jp`: JIS X 0208 in pairs; decodes JIS X 0212 of three octets, too.
    EucJp,
    /// `euc-kr`, with the extension of windows-949.
    EucKr,
    /// `big5`, with the extension of Hong Kong.
    Big5,
}

impl MultiOctet {
    /// All of them.
    pub const ALL: [MultiOctet; 6] = [
        MultiOctet::Gbk,
        MultiOctet::Gb18030,
        MultiOctet::ShiftJis,
        MultiOctet::EucJp,
        MultiOctet::EucKr,
        MultiOctet::Big5,
    ];

    /// The index file of the pairs: lines of a pointer, a tab, and the characters of this pointer and of those after it; `#` starts a
    /// comment. Nothing is said of how octets make a pointer.
    pub fn index(self) -> &'static str {
        match self {
            MultiOctet::Gbk | MultiOctet::Gb18030 => include_str!("../data/index-gb18030.txt"),
            MultiOctet::ShiftJis | MultiOctet::EucJp => include_str!("../data/index-jis0208.txt"),
            MultiOctet::EucKr => include_str!("../data/index-euc-kr.txt"),
            MultiOctet::Big5 => include_str!("../data/index-big5.txt"),
        }
    }

    /// The index file of JIS X 0212, which `euc-jp` has in three octets.
    pub const JIS_0212: &str = include_str!("../data/index-jis0212.txt");

    /// The ranges of four octets of `gb18030`: lines of the first pointer of a range and its code point.
    pub const GB_18030_RANGES: &str = include_str!("../data/index-gb18030-ranges.txt");

    /// The set as a reader knows it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            MultiOctet::Gbk => "GBK",
            MultiOctet::Gb18030 => "GB 18030-2022",
            MultiOctet::ShiftJis => "Shift_JIS",
            MultiOctet::EucJp => "EUC-JP",
            MultiOctet::EucKr => "EUC-KR",
            MultiOctet::Big5 => "Big5",
        }
    }
}
