//! The speed of a campaign.

/// A number of inputs a second, with at least two digits that say something.
pub fn in_words(speed: f64) -> String {
    match speed {
        1e6.. => format!("{:.1} million", speed / 1e6),
        1e4.. => format!("{:.0} thousand", speed / 1e3),
        _ => format!("{speed:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_campaign_has_a_speed_too() {
        for (speed, expected) in [
            (143_200_000.0, "143.2 million"),
            (1_000_000.0, "1.0 million"),
            (45_210.0, "45 thousand"),
            (5_243.2, "5243"),
            (41.0, "41"),
        ] {
            assert_eq!(in_words(speed), expected);
        }
    }
}
