//! Programs that end with this process, together with the processes that they have started.

use std::io;
use std::process::Command;

/// A group of processes that outlives neither this value nor this process, however that ends.
///
/// On Unix a shell leads the group, and waits for the end of a pipe. The other end is open in this process only, so that the shell
/// wakes even if this process is killed. Then the shell kills the group, itself included. Elsewhere programs are in no group.
#[derive(Debug)]
pub struct Group {
    #[cfg(unix)]
    leader: std::process::Child,
}

/// The script of the leader.
#[cfg(unix)]
const LEADER: &str = "read -r _; kill -s KILL 0";

#[cfg(unix)]
impl Group {
    /// A group without a program.
    ///
    /// # Errors
    /// If no shell can be started.
    pub fn new() -> io::Result<Group> {
        use std::os::unix::process::CommandExt;
        use std::process::Stdio;
        // The shell is called by its path, which POSIX systems share, since PATH can be a single folder of tools.
        let mut leader = Command::new("/bin/sh");
        leader.args(["-c", LEADER]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Group { leader: leader.process_group(0).spawn()? })
    }

    /// Has the command start its program in the group.
    pub fn hold<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        use std::os::unix::process::CommandExt;
        let group = self.leader.id().try_into().expect("process ids are positive numbers of 31 bits");
        command.process_group(group)
    }
}

#[cfg(unix)]
impl Drop for Group {
    fn drop(&mut self) {
        // The end of the pipe ends the group.
        drop(self.leader.stdin.take());
        let _ = self.leader.wait();
    }
}

#[cfg(not(unix))]
impl Group {
    /// No group.
    ///
    /// # Errors
    /// None.
    pub fn new() -> io::Result<Group> {
        Ok(Group {})
    }

    /// Changes nothing.
    pub fn hold<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command
    }
}
