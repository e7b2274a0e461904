package dev.imker.server.internal.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.model.Platform;
import dev.imker.model.job.ActionBinding;
import dev.imker.model.job.After;
import dev.imker.model.job.DataInput;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Notices;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.job.TaskRules;
import dev.imker.model.validation.JobDefaults;
import dev.imker.server.drop.DropFolders;
import dev.imker.server.history.HistoryView;
import dev.imker.server.http.ErrorView;
import dev.imker.server.http.Json;
import dev.imker.server.internal.data.PoolDataSets;
import dev.imker.server.internal.rest.changes.OutcomeView;
import dev.imker.server.internal.rest.data.BlobRoutes;
import dev.imker.server.internal.rest.data.BoardRoutes;
import dev.imker.server.internal.rest.data.DataSetRoutes;
import dev.imker.server.internal.rest.data.LibraryRoutes;
import dev.imker.server.internal.rest.explain.NodeExplanation;
import dev.imker.server.internal.rest.explain.TaskExplanation;
import dev.imker.server.internal.rest.failures.FailuresView;
import dev.imker.server.internal.rest.jobs.ArchiveRoutes;
import dev.imker.server.internal.rest.jobs.CountsView;
import dev.imker.server.internal.rest.jobs.JobFileRoutes;
import dev.imker.server.internal.rest.jobs.JobGraphView;
import dev.imker.server.internal.rest.jobs.JobRoutes;
import dev.imker.server.internal.rest.jobs.JobView;
import dev.imker.server.internal.rest.jobs.JobViews;
import dev.imker.server.internal.rest.jobs.KindRoutes;
import dev.imker.server.internal.rest.jobs.OutcomeRoutes;
import dev.imker.server.internal.rest.jobs.SelectRoutes;
import dev.imker.server.internal.rest.nodes.Amount;
import dev.imker.server.internal.rest.nodes.NodeFigures;
import dev.imker.server.internal.rest.nodes.NodeHistory;
import dev.imker.server.internal.rest.nodes.NodeRoutes;
import dev.imker.server.internal.rest.nodes.NodeSpread;
import dev.imker.server.internal.rest.nodes.NodeTermsView;
import dev.imker.server.internal.rest.nodes.NodeView;
import dev.imker.server.internal.rest.overview.Attention;
import dev.imker.server.internal.rest.overview.OverviewRoutes;
import dev.imker.server.internal.rest.overview.Pulse;
import dev.imker.server.internal.rest.plan.PlannedJobRoutes;
import dev.imker.server.internal.rest.plan.PlannedJobs;
import dev.imker.server.internal.rest.plan.PlannerRoutes;
import dev.imker.server.internal.rest.pool.CertificateRoutes;
import dev.imker.server.internal.rest.pool.DropRoutes;
import dev.imker.server.internal.rest.pool.JournalRoutes;
import dev.imker.server.internal.rest.pool.PoolView;
import dev.imker.server.internal.rest.pool.ProjectRoutes;
import dev.imker.server.internal.rest.pool.ResourceRoutes;
import dev.imker.server.internal.rest.pool.RetentionRoutes;
import dev.imker.server.internal.rest.pool.SettingRoutes;
import dev.imker.server.internal.rest.pool.StrategyView;
import dev.imker.server.internal.rest.runs.JobHistory;
import dev.imker.server.internal.rest.runs.MetricsView;
import dev.imker.server.internal.rest.runs.TimelineView;
import dev.imker.server.internal.rest.runs.UsageRoutes;
import dev.imker.server.internal.rest.tasks.AttestationRoutes;
import dev.imker.server.internal.rest.tasks.TaskPages;
import dev.imker.server.internal.rest.tasks.TaskView;
import dev.imker.server.internal.rest.users.AccountView;
import dev.imker.server.internal.rest.users.OidcRoutes;
import dev.imker.server.internal.rest.users.QuotaView;
import dev.imker.server.internal.rest.users.SecretRoutes;
import dev.imker.server.internal.rest.users.SessionRoutes;
import dev.imker.server.internal.rest.users.TokenRoutes;
import dev.imker.server.internal.rest.users.UserRoutes;
import dev.imker.server.plan.PlanOrder;
import dev.imker.server.simulation.PoolSimulator;
import dev.imker.server.usage.UsageSeries;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The schemas of records that requests and answers are made of, from their components. */
final class RecordSchemas {
  private static final String REFERENCE = "#/components/schemas/";

  /** What people send; there is a default for whatever they leave out. */
  private static final Set<Class<?>> SENT =
      Set.of(
          JobSpec.class,
          Stage.class,
          SweepAxis.class,
          SweepAxis.Range.class,
          InputFile.class,
          Notices.class,
          OnFailure.class,
          Requirements.class,
          Requirements.Need.class,
          TaskRules.class,
          After.class,
          DataInput.class,
          PlanOrder.class,
          ActionBinding.class);

  private static final Map<String, Class<? extends Record>> RECORDS = records();

  private RecordSchemas() {}

  private static Map<String, Class<? extends Record>> records() {
    Map<String, Class<? extends Record>> all = new LinkedHashMap<>();
    all.put("Error", ErrorView.class);
    all.put("Counts", CountsView.class);
    all.put("Pool", PoolView.class);
    all.put("Job", JobView.class);
    all.put("JobPage", JobViews.Page.class);
    all.put("JobSpec", JobSpec.class);
    all.put("SweepAxis", SweepAxis.class);
    all.put("InputFile", InputFile.class);
    all.put("Changed", JobRoutes.Changed.class);
    all.put("Output", TaskView.Output.class);
    all.put("Result", TaskView.Result.class);
    all.put("Attempt", TaskView.Attempt.class);
    all.put("Task", TaskView.class);
    all.put("TaskPage", TaskPages.Page.class);
    all.put("Failures", FailuresView.class);
    all.put("FailureGroup", FailuresView.Group.class);
    all.put("Difference", FailuresView.Difference.class);
    all.put("Timeline", TimelineView.class);
    all.put("TimelineNode", TimelineView.Lane.class);
    all.put("TimelineRun", TimelineView.Run.class);
    all.put("Metrics", MetricsView.class);
    all.put("JobHistory", JobHistory.View.class);
    all.put("JobEvent", JobHistory.Event.class);
    all.put("MetricsRow", MetricsView.Row.class);
    all.put("Selection", SelectRoutes.Selection.class);
    all.put("Platform", Platform.class);
    all.put("Node", NodeView.class);
    all.put("NodeTerms", NodeTermsView.class);
    all.put("Nodes", NodeRoutes.Nodes.class);
    all.put("Missing", BlobRoutes.Missing.class);
    all.put("Blob", BlobRoutes.Stored.class);
    all.put("Strategy", StrategyView.class);
    all.put("History", HistoryView.class);
    all.put("Projects", ProjectRoutes.Projects.class);
    all.put("Amount", Amount.class);
    all.put("Resources", ResourceRoutes.Resources.class);
    all.put("Kinds", KindRoutes.Kinds.class);
    all.put("ExpandedKind", KindRoutes.Expanded.class);
    all.put("Views", KindRoutes.Views.class);
    all.put("TaskExplanation", TaskExplanation.class);
    all.put("NodeExplanation", NodeExplanation.class);
    all.put("TaskRules", TaskRules.class);
    all.put("After", After.class);
    all.put("DataInput", DataInput.class);
    all.put("Stage", Stage.class);
    all.put("Outcome", OutcomeView.class);
    all.put("OutcomePage", OutcomeRoutes.Page.class);
    all.put("AttestationPage", AttestationRoutes.Page.class);
    all.put("CheckedJobFile", JobFileRoutes.Checked.class);
    all.put("Quota", QuotaView.class);
    all.put("Account", AccountView.class);
    all.put("Users", UserRoutes.Users.class);
    all.put("Me", SessionRoutes.Me.class);
    all.put("Token", TokenRoutes.TokenView.class);
    all.put("Tokens", TokenRoutes.Tokens.class);
    all.put("Secret", SecretRoutes.SecretView.class);
    all.put("Secrets", SecretRoutes.SecretViews.class);
    all.put("FreshToken", SessionRoutes.LoggedIn.class);
    all.put("LoginLink", SessionRoutes.Link.class);
    all.put("OidcProvider", OidcRoutes.Provider.class);
    all.put("OidcBegun", OidcRoutes.Begun.class);
    all.put("OidcWaiting", OidcRoutes.Waiting.class);
    all.put("Certificate", CertificateRoutes.CertificateView.class);
    all.put("AuditPage", JournalRoutes.AuditPage.class);
    all.put("Usage", JournalRoutes.Usages.class);
    all.put("BoardItem", BoardRoutes.ItemView.class);
    all.put("BoardPage", BoardRoutes.Items.class);
    all.put("Settings", SettingRoutes.Settings.class);
    all.put("Notices", SettingRoutes.Notices.class);
    all.put("HookSecret", SettingRoutes.HookSecret.class);
    all.put("RetentionRules", RetentionRoutes.Rules.class);
    all.put("Retention", RetentionRoutes.All.class);
    all.put("RetentionReport", RetentionRoutes.ReportView.class);
    all.put("Imported", ArchiveRoutes.Imported.class);
    all.put("Drop", DropFolders.Watched.class);
    all.put("Drops", DropRoutes.Folders.class);
    all.put("DropItems", DropRoutes.Items.class);
    all.put("Beat", Pulse.Beat.class);
    all.put("Use", Pulse.Use.class);
    all.put("Utilisation", OverviewRoutes.Utilisation.class);
    all.put("Attention", Attention.class);
    all.put("Overview", OverviewRoutes.Overview.class);
    all.put("StageView", JobGraphView.StageView.class);
    all.put("JobGraph", JobGraphView.class);
    all.put("NodeFigures", NodeFigures.class);
    all.put("NodeSpread", NodeSpread.class);
    all.put("NodeHistory", NodeHistory.class);
    all.put("UsagePoint", UsageSeries.Point.class);
    all.put("UsageOverTime", UsageRoutes.View.class);
    all.put("Plan", PlannerRoutes.PlanView.class);
    all.put("PlanOrder", PlanOrder.class);
    all.put("ActionBinding", ActionBinding.class);
    all.put("StartedPlan", PlannedJobRoutes.Started.class);
    all.put("ActionTimes", PlannedJobs.Times.class);
    all.put("PlanState", PlannedJobs.PlanState.class);
    all.put("Simulation", PoolSimulator.Report.class);
    all.put("Library", LibraryRoutes.View.class);
    all.put("Libraries", LibraryRoutes.Libraries.class);
    all.put("DataSetFile", PoolDataSets.Kept.class);
    all.put("DataSet", DataSetRoutes.View.class);
    all.put("DataSets", DataSetRoutes.Sets.class);
    return all;
  }

  static ObjectNode all() {
    ObjectNode schemas = Json.MAPPER.createObjectNode();
    RECORDS.forEach((name, type) -> schemas.set(name, object(type)));
    return schemas;
  }

  private static ObjectNode object(Class<? extends Record> type) {
    ObjectNode schema = Json.MAPPER.createObjectNode();
    schema.put("type", "object").put("additionalProperties", false);
    ArrayNode required = schema.putArray("required");
    ObjectNode properties = schema.putObject("properties");
    for (RecordComponent component : type.getRecordComponents()) {
      String name = component.getName();
      ObjectNode property = of(component.getAnnotatedType());
      if (SENT.contains(type)) {
        putDefault(property, type, component);
      }
      properties.set(name, property);
      boolean always =
          SENT.contains(type)
              ? JobDefaults.isRequired(type, name)
              : !component.getAccessor().isAnnotationPresent(JsonInclude.class);
      if (always) {
        required.add(name);
      }
    }
    return schema;
  }

  private static void putDefault(
      ObjectNode property, Class<? extends Record> type, RecordComponent component) {
    Object usual = JobDefaults.of(type, component.getName(), Map.of());
    boolean simple = usual instanceof String || usual instanceof Number || usual instanceof Boolean;
    if (simple || usual instanceof Enum || usual instanceof Collection) {
      property.set("default", Json.MAPPER.valueToTree(usual));
    }
  }

  private static ObjectNode of(AnnotatedType type) {
    ObjectNode schema = plain(type);
    if (!type.isAnnotationPresent(Nullable.class)) {
      return schema;
    }
    if (schema.has("type")) {
      String only = schema.get("type").asText();
      schema.putArray("type").add(only).add("null");
      return schema;
    }
    ObjectNode either = Json.MAPPER.createObjectNode();
    either.putArray("anyOf").add(schema).addObject().put("type", "null");
    return either;
  }

  private static ObjectNode plain(AnnotatedType annotated) {
    ObjectNode schema = Json.MAPPER.createObjectNode();
    Class<?> type = rawClass(annotated.getType());
    if (type == String.class) {
      return schema.put("type", "string");
    }
    if (type == boolean.class || type == Boolean.class) {
      return schema.put("type", "boolean");
    }
    if (type == int.class || type == Integer.class) {
      return schema.put("type", "integer").put("format", "int32").put("minimum", 0);
    }
    if (type == long.class || type == Long.class) {
      return schema.put("type", "integer").put("format", "int64").put("minimum", 0);
    }
    if (type == double.class || type == Double.class) {
      return schema.put("type", "number");
    }
    if (type.isEnum()) {
      ArrayNode words = schema.put("type", "string").putArray("enum");
      for (Object constant : type.getEnumConstants()) {
        words.add(constant.toString());
      }
      return schema;
    }
    if (Collection.class.isAssignableFrom(type)) {
      schema.put("type", "array").set("items", of(argument(annotated, 0)));
      return schema;
    }
    if (Map.class.isAssignableFrom(type)) {
      schema.put("type", "object").set("additionalProperties", of(argument(annotated, 1)));
      return schema;
    }
    for (Map.Entry<String, Class<? extends Record>> known : RECORDS.entrySet()) {
      if (known.getValue() == type) {
        return schema.put("$ref", REFERENCE + known.getKey());
      }
    }
    return type.isRecord() ? object(type.asSubclass(Record.class)) : schema;
  }

  private static AnnotatedType argument(AnnotatedType type, int number) {
    return ((AnnotatedParameterizedType) type).getAnnotatedActualTypeArguments()[number];
  }

  private static Class<?> rawClass(Type type) {
    if (type instanceof ParameterizedType generic) {
      return (Class<?>) generic.getRawType();
    }
    return type instanceof Class<?> plain ? plain : Object.class;
  }
}
