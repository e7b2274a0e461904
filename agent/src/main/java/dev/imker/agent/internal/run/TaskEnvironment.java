package dev.imker.agent.internal.run;

import dev.imker.agent.internal.home.TaskAccess;
import dev.imker.agent.internal.lease.HeldLease;
import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.agent.internal.process.ProcessSpec;
import dev.imker.agent.internal.work.TaskFolder;
import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.job.ExpandedTask;
import dev.imker.model.job.Requirements;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;

/**
 * The environment of a task: a small, clean base, what the job adds, and what tells the task who it
 * is. Nothing else of the agent's own environment gets through.
 */
public final class TaskEnvironment {
  /** Marks every process of a lease, also for the agent's next life. */
  public static final String MARK = ProcessSpec.MARK;

  private static final boolean WINDOWS =
      System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
  private static final List<String> NEEDED_BY_WINDOWS =
      List.of("SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "windir");
  private static final String PLAIN_UTF8 = "C.UTF-8";
  private static final String USUAL_PATH =
      "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private static final Pattern NOT_IN_NAMES = Pattern.compile("[^A-Za-z0-9]");
  private static final String NO_DEVICE = "-1";

  private final AgentId agent;
  private final IntSupplier machineGpus;
  private final TaskAccess access;
  private final Map<String, String> own;
  private final Map<String, String> base = new LinkedHashMap<>();

  /**
   * @param own that of the agent
   * @param machineGpus how many GPUs the machine has or offers
   */
  public TaskEnvironment(
      AgentId agent, Map<String, String> own, TaskAccess access, IntSupplier machineGpus) {
    this.agent = agent;
    this.machineGpus = machineGpus;
    this.access = access;
    this.own = own;
    base.put("PATH", own.getOrDefault("PATH", USUAL_PATH));
    if (own.containsKey("TZ")) {
      base.put("TZ", own.getOrDefault("TZ", ""));
    }
    if (WINDOWS) {
      NEEDED_BY_WINDOWS.forEach(name -> base.put(name, own.getOrDefault(name, "")));
    }
  }

  /**
   * What a task is told of the language, as far as its job does not say it. In plain UTF-8 all but
   * the characters is as in C; said so, a program loads one file of the system's language data
   * instead of thirteen before it begins.
   */
  static Map<String, String> language(Map<String, String> own, Map<String, String> job) {
    if (job.containsKey("LANG")) {
      return Map.of();
    }
    String language = own.getOrDefault("LANG", PLAIN_UTF8);
    boolean plain = language.equalsIgnoreCase(PLAIN_UTF8) || language.equalsIgnoreCase("C.utf8");
    return plain ? Map.of("LC_CTYPE", PLAIN_UTF8) : Map.of("LANG", language);
  }

  static String mark(AgentId agent, long run) {
    return agent + ":" + Long.toHexString(run);
  }

  /** The environment of a process for several leases. */
  public Map<String, String> ofHost(long number, List<String> gpus) {
    Map<String, String> env = new LinkedHashMap<>(base);
    env.putAll(language(own, Map.of()));
    env.put("LC_ALL", PLAIN_UTF8); // Java takes names for what this says
    env.put(MARK, mark(agent, number));
    env.putAll(devices(gpus, machineGpus.getAsInt()));
    return env;
  }

  Map<String, String> of(TaskRun run, ExpandedTask task, TaskFolder folder) {
    Map<String, String> env = new LinkedHashMap<>(base);
    env.put("HOME", folder.work().toString());
    env.put("TMPDIR", folder.temporary().toString());
    if (WINDOWS) {
      env.put("TEMP", folder.temporary().toString());
      env.put("TMP", folder.temporary().toString());
    }
    env.putAll(language(own, task.env()));
    env.putAll(task.env());
    HeldLease held = run.held;
    env.put("IMKER_JOB", Long.toString(held.job()));
    env.put("IMKER_TASK", held.lease().task().toString());
    env.put("IMKER_PROGRESS", folder.temporary().resolve(SaidProgress.FILE).toString());
    env.put("IMKER_TASK_NUMBER", Long.toString(held.lease().task().index() + 1L));
    List<String> names = run.template.paramNames();
    for (int i = 0; i < names.size() && i < held.params().size(); i++) {
      env.put("IMKER_PARAM_" + names.get(i), held.params().get(i));
    }
    env.putAll(amounts(held.granted(), machineGpus.getAsInt()));
    env.putIfAbsent("OMP_NUM_THREADS", Long.toString(threads(held.granted())));
    env.putAll(access.environment(held.lease()));
    env.put(MARK, mark(agent, held.runNumber()));
    return env;
  }

  /** What tells a task how much it got, so that it takes no more. */
  static Map<String, String> amounts(Granted granted, int machineGpus) {
    Map<String, String> env = new LinkedHashMap<>();
    env.put("IMKER_VARIANT", Integer.toString(granted.variant()));
    env.put("IMKER_CORES", Granted.inWords(granted.of("cores")));
    env.put("IMKER_GPUS", Granted.inWords(granted.of("gpus")));
    if (granted.of("memory") > 0) {
      env.put("IMKER_MEMORY_MB", Long.toString(granted.of("memory") >> 20));
    }
    env.putAll(devices(gpus(granted), machineGpus));
    granted
        .amounts()
        .forEach(
            (name, amount) -> {
              if (Requirements.isResourceName(name)) {
                List<String> items = granted.items().getOrDefault(name, List.of());
                env.put(
                    "IMKER_RESOURCE_"
                        + NOT_IN_NAMES.matcher(name).replaceAll("_").toUpperCase(Locale.ROOT),
                    items.isEmpty() ? Granted.inWords(amount) : String.join(",", items));
              }
            });
    return env;
  }

  /** Devices of others do not exist for a task, also if it has none. */
  private static Map<String, String> devices(List<String> own, int machineGpus) {
    if (own.isEmpty() && machineGpus == 0) {
      return Map.of();
    }
    String visible = own.isEmpty() ? NO_DEVICE : String.join(",", own);
    return Map.of("CUDA_VISIBLE_DEVICES", visible, "ROCR_VISIBLE_DEVICES", visible);
  }

  static List<String> gpus(Granted granted) {
    return granted.items().getOrDefault("gpus", List.of());
  }

  private static long threads(Granted granted) {
    return Math.max(1, granted.of("cores") / Requirements.HUNDREDTHS);
  }
}
