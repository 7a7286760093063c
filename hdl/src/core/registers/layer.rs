//! The layer around a core with a status.

use std::sync::Arc;

use super::block::{self, FIELDS};
use crate::core::{CoreSpec, status_fields};
use crate::netlist::{Builder, Direction, Module, Signal};

/// Name of the core inside of the layer, as a module and as an instance.
pub(in crate::core) const INNER: &str = "streaming";

/// A module called `name` around `core`, which is one of `spec` and has a status.
pub(in crate::core) fn around(name: &str, core: &Arc<Module>, spec: &CoreSpec) -> Arc<Module> {
    let m = Builder::new(name, format!("{}, and registers of totals behind AXI4-Lite", core.summary()));
    let inner = m.instance(INNER, core);
    let mut status_ready = None;
    for port in core.ports() {
        m.port_group(port.group.as_str());
        let labelled = |signal: Signal<'_>| {
            if let Some(labels) = &core.node(port.node).labels {
                signal.labels(labels);
            }
        };
        match port.direction {
            Direction::Input => {
                let outer = m.input(&port.name, port.width, &port.note);
                labelled(outer);
                inner.input(&port.name, outer);
                if port.name == "status_tready" {
                    status_ready = Some(outer);
                }
            }
            Direction::Output => {
                let outer = inner.output(&port.name);
                labelled(outer);
                m.output(&port.name, outer, &port.note);
            }
        }
    }
    m.section("A frame is counted when its status is taken");
    let ready = status_ready.expect("the core has a status");
    let status = inner.output("status_tdata");
    let counters = block::module(spec);
    let totals = m.instance("totals", &counters);
    totals.input("counts", (inner.output("status_tvalid") & ready).named("status_taken"));
    for field in status_fields().into_iter().filter(|field| FIELDS.contains(&field.name)) {
        totals.input(&format!("frame_{}", field.name), status.bits(field.low..field.low + field.bits));
    }
    for port in counters.ports().iter().filter(|port| port.name.starts_with("s_axil_")) {
        m.port_group(port.group.as_str());
        match port.direction {
            Direction::Input => {
                totals.input(&port.name, m.input(&port.name, port.width, &port.note));
            }
            Direction::Output => m.output(&port.name, totals.output(&port.name), &port.note),
        }
    }
    m.built()
}
