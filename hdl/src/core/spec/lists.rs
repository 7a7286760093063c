//! Specifications to go through: of tests, and of lists in the documentation.

use super::{CoreSpec, Role};
use crate::core::{Axis, Bus, DEFAULT_DIGITS, Max, System, Verdict};
use crate::netlist::ResetStyle;

impl CoreSpec {
    /// Every decoder and encoder of one lane, in every error mode. Those of `utf-8` are there with every reset and both buses, and
    /// the others with the default ones, since all cores are reset in the same way, and all that fit the short bus have it alike.
    pub fn all() -> Vec<Self> {
        let roles = |system| [Role::Decoder, Role::Encoder].map(|role| (system, role));
        let short = configurations(roles(System::Utf8).into_iter())
            .filter(|spec| spec.reset == ResetStyle::default())
            .map(|spec| Self { bus: Bus::Short, ..spec });
        let decoders = System::decoded_only().map(|system| (system, Role::Decoder));
        configurations(System::variants().flat_map(roles).chain(decoders)).chain(short).collect()
    }

    /// Every decoder of several lanes, in every error mode, with the default reset; those of `utf-inf-8` with the default limit. They
    /// are many and large, so most tests run only a few of them.
    pub fn of_several_lanes() -> Vec<Self> {
        Self::several_lanes_in(Role::Decoder)
    }

    /// Every encoder of several lanes, as [`of_several_lanes`](Self::of_several_lanes) has decoders.
    pub fn encoders_of_several_lanes() -> Vec<Self> {
        Self::several_lanes_in(Role::Encoder)
    }

    /// Every transcoder of several lanes, as [`of_several_lanes`](Self::of_several_lanes) has decoders.
    pub fn transcoders_of_several_lanes() -> Vec<Self> {
        System::variants().flat_map(|to| Self::several_lanes_in(Role::Transcoder { to })).collect()
    }

    /// Validators of one lane: of every system, and with each choice of marks of some.
    pub fn validators() -> Vec<Self> {
        let has_one = |system: &System| !Role::Validator(Verdict::default()).lanes(*system).is_empty();
        let systems = System::variants().chain(System::decoded_only().filter(has_one));
        let plain = systems.map(|system| (system, Verdict::default()));
        let marked = [System::Utf8, System::Utf16, System::Utf9 { max: Max::Unicode }, System::hunk(4)];
        let marked = marked
            .into_iter()
            .flat_map(|system| Verdict::all().skip(1).map(move |verdict| (system, verdict)));
        plain.chain(marked).map(|(system, verdict)| Self::new(system, Role::Validator(verdict))).collect()
    }

    /// Every validator of several lanes, as [`of_several_lanes`](Self::of_several_lanes) has decoders: without options, and with one choice
    /// of marks, which differs from core to core.
    pub fn validators_of_several_lanes() -> Vec<Self> {
        let plain = Self::several_lanes_in(Role::Validator(Verdict::default()));
        let choices = Verdict::all().skip(1).collect::<Vec<_>>().into_iter().cycle();
        let marked =
            plain.iter().zip(choices).map(|(&spec, verdict)| Self { role: Role::Validator(verdict), ..spec });
        let marked = marked.filter(|spec| spec.check().is_ok());
        plain.iter().copied().chain(marked).collect()
    }

    fn several_lanes_in(role: Role) -> Vec<Self> {
        let of_lanes = |system: System| role.lanes(system)[1..].iter().map(move |&lanes| (system, lanes));
        let is_taken = |system: &System| match *system {
            System::UtfInf8 { digits } => digits == DEFAULT_DIGITS,
            _ => true,
        };
        let specs = System::variants().filter(is_taken).flat_map(of_lanes).flat_map(|(system, lanes)| {
            role.on_error().iter().map(move |&on_error| Self { lanes, on_error, ..Self::new(system, role) })
        });
        specs.collect()
    }

    /// The transcoders of all ordered pairs of systems, a system and itself included, in every error
    /// mode.
    pub fn transcoders() -> Vec<Self> {
        let pairs = |system| System::variants().map(move |to| (system, Role::Transcoder { to }));
        configurations(System::variants().flat_map(pairs)).collect()
    }

    /// Cores of one lane with strict ports: those between units of fewer than 8 bits, of 8, 9, 16 and 32, and slots, short ones too.
    pub fn strict() -> Vec<Self> {
        let nonets = System::Utf9 { max: Max::Unicode };
        let systems =
            [System::hunk(5), System::Utf8, nonets, System::Utf16, System::Utf32 { max: Max::Unicode }];
        let transcoders = systems.map(|to| Role::Transcoder { to });
        let roles = [Role::Decoder, Role::Encoder].into_iter().chain(transcoders);
        let cores = systems.into_iter().flat_map(|system| roles.clone().map(move |role| (system, role)));
        let short = [Role::Decoder, Role::Encoder]
            .map(|role| Self { bus: Bus::Short, ..Self::new(System::Utf8, role) });
        let cores = cores.map(|(system, role)| Self::new(system, role)).chain(short);
        cores.map(|spec| Self { axis: Axis::Strict, ..spec }).collect()
    }
}

/// Each system and role with one lane and every treatment of errors, and some with every reset.
fn configurations(of: impl Iterator<Item = (System, Role)>) -> impl Iterator<Item = CoreSpec> {
    of.flat_map(|(system, role)| {
        let in_every_reset = system == System::Utf8 && !matches!(role, Role::Transcoder { .. });
        let resets = if in_every_reset { &ResetStyle::ALL[..] } else { &[ResetStyle::SyncHigh] };
        resets.iter().flat_map(move |&reset| {
            role.on_error().iter().map(move |&on_error| CoreSpec {
                reset,
                on_error,
                ..CoreSpec::new(system, role)
            })
        })
    })
}
