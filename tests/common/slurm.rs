//! A cluster of Slurm with one node, this machine: its daemons, their keys, sockets and files in a temporary folder.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// A cluster. The cluster and its jobs end when the value is dropped, or when the process ends for any reason.
pub struct Cluster {
    folder: TempDir,
    /// In the order in which they were started.
    daemons: Vec<Child>,
}

impl Cluster {
    /// Starts the daemons, and waits for the node.
    pub fn start() -> Self {
        let folder = TempDir::new().unwrap();
        let mut cluster = Self { folder, daemons: Vec::new() };
        for name in ["munge", "state", "spool"] {
            fs::create_dir(cluster.file(name)).unwrap();
        }
        let random = fs::File::open("/dev/urandom").unwrap();
        let key = cluster.file("munge/key");
        std::io::copy(&mut std::io::Read::take(random, 128), &mut new_private(&key)).unwrap();
        fs::write(cluster.file("slurm.conf"), cluster.configuration()).unwrap();
        // Nothing is done with control groups; this plugin does not insist that the machine has them.
        fs::write(cluster.file("cgroup.conf"), "CgroupPlugin=cgroup/v1\n").unwrap();
        let option = |name: &str, file: &str| format!("--{name}={}", cluster.file(file).display());
        let munge = ["socket", "key-file", "pid-file", "seed-file"].map(|name| {
            let file = name.trim_end_matches("-file");
            option(name, &format!("munge/{file}"))
        });
        let munge = [vec!["--foreground".to_owned(), "--force".to_owned()], munge.to_vec()].concat();
        cluster.daemon("munged", &munge);
        let socket = cluster.file("munge/socket");
        wait_for("the socket of munged", || socket.exists().then_some(()));
        cluster.daemon("slurmctld", &["-D".to_owned(), "-c".to_owned()]);
        cluster.daemon("slurmd", &["-D".to_owned()]);
        wait_for("an idle node", || {
            let states = cluster.command("sinfo").args(["--noheader", "--format=%T"]).output().unwrap();
            (text(&states.stdout).trim() == "idle").then_some(())
        });
        cluster
    }

    /// A command that runs a program of Slurm, or a caller of such programs, for this cluster.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.file("slurm.conf"));
        command
    }

    /// Runs a program of Slurm, which must succeed.
    pub fn run(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.command(program).args(arguments).output().unwrap();
        assert!(output.status.success(), "{program} {arguments:?}: {output:?}");
        text(&output.stdout)
    }

    /// The value of `key` in Slurm's `key=value` description of a job; `None` if it is not there.
    pub fn of_job(&self, job: &str, key: &str) -> Option<String> {
        let shown = self.run("scontrol", &["--oneliner", "show", "job", job]);
        let values = shown.split(' ').filter_map(|word| word.trim().strip_prefix(key)?.strip_prefix('='));
        values.map(str::to_owned).next()
    }

    /// Waits for the end of a job; gives its exit code.
    pub fn exit_code(&self, job: &str) -> i32 {
        wait_for(&format!("the end of job {job}"), || {
            let state = self.of_job(job, "JobState")?;
            ["COMPLETED", "FAILED", "CANCELLED", "TIMEOUT"].contains(&state.as_str()).then_some(())
        });
        let code = self.of_job(job, "ExitCode").unwrap();
        code.split_once(':').unwrap().0.parse().unwrap()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn configuration(&self) -> String {
        // Both ports are free now, and no other program knows them.
        let ports = [(), ()].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let [control, node] = ports.map(|port| port.local_addr().unwrap().port());
        let name = |program: &str, option: &str| {
            let output = Command::new(program).arg(option).output().unwrap();
            text(&output.stdout).trim().to_owned()
        };
        let (host, user) = (name("hostname", "-s"), name("id", "-un"));
        let folder = self.folder.path().display();
        format!(
            "ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
SlurmdPort={node}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
# A job that is queued again waits until what allowed it to run has expired.
AuthInfo=socket={folder}/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
JobRequeue=1
KillWait=2
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"
        )
    }

    /// Starts a daemon, which the system kills if this thread ends.
    fn daemon(&mut self, program: &str, arguments: &[String]) {
        let log = fs::File::create(self.file(&format!("{program}.out"))).unwrap();
        let mut command = self.command("setpriv");
        // Debian has them where only root looks for programs.
        let path = format!("{}:/usr/sbin", std::env::var("PATH").unwrap());
        command.args(["--pdeathsig", "KILL", program]).args(arguments).env("PATH", path);
        command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
        let spawned = command.spawn();
        self.daemons
            .push(spawned.unwrap_or_else(|error| panic!("{program}: {error}; tools/test installs it")));
    }

    /// Ends all jobs.
    fn cancel(&self) {
        // None of this may panic. Processes that the node still runs after a while end with it.
        let run = |program: &str, arguments: &[&str]| -> Option<Output> {
            self.command(program).args(arguments).stderr(Stdio::null()).output().ok()
        };
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(15) {
            let jobs = run("squeue", &["--noheader", "--format=%i"]).map(|output| text(&output.stdout));
            let jobs = jobs.unwrap_or_default();
            if jobs.trim().is_empty() {
                return;
            }
            run("scancel", &jobs.split_whitespace().collect::<Vec<_>>());
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if self.daemons.len() == 3 {
            self.cancel();
        }
        if std::thread::panicking() {
            for name in ["munged.out", "slurmctld.out", "slurmctld.log", "slurmd.out", "slurmd.log"] {
                let log = fs::read_to_string(self.file(name)).unwrap_or_default();
                let last: Vec<&str> = log.lines().rev().take(40).collect();
                eprintln!("{name}, from its end:\n{}", last.join("\n"));
            }
        }
        for daemon in self.daemons.iter_mut().rev() {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

/// Waits until `ready` gives something.
pub fn wait_for<T>(what: &str, mut ready: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(value) = ready() {
            return value;
        }
        assert!(start.elapsed() < PATIENCE, "{what} did not come");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn new_private(path: &Path) -> fs::File {
    use std::os::unix::fs::OpenOptionsExt;
    fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
