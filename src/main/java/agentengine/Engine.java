package agentengine;

import agentengine.agent.Agents;
import agentengine.agent.Schemas;
import agentengine.audit.AdminLog;
import agentengine.audit.AuditChain;
import agentengine.audit.ToolCallLog;
import agentengine.audit.ToolLedger;
import agentengine.auth.ApiTokens;
import agentengine.auth.Authenticator;
import agentengine.auth.Caller;
import agentengine.config.BadOption;
import agentengine.config.BootOptions;
import agentengine.config.Configuration;
import agentengine.config.ConfigurationFile;
import agentengine.config.SettingsStore;
import agentengine.config.TraceOptions;
import agentengine.config.Variable;
import agentengine.db.Database;
import agentengine.db.Ids;
import agentengine.db.NodeLease;
import agentengine.db.PostgresDatabase;
import agentengine.db.SqliteDatabase;
import agentengine.db.StoreUnavailable;
import agentengine.http.Api;
import agentengine.http.HttpServer;
import agentengine.limit.RateLimitRules;
import agentengine.limit.RateLimits;
import agentengine.metric.ProcessMeters;
import agentengine.model.ModelClient;
import agentengine.model.ModelRegistry;
import agentengine.model.ModelVerifier;
import agentengine.model.Models;
import agentengine.model.Prices;
import agentengine.secret.MasterKey;
import agentengine.session.Conversations;
import agentengine.session.Sessions;
import agentengine.task.TaskMaking;
import agentengine.task.TaskMetrics;
import agentengine.task.TaskNotes;
import agentengine.task.TaskStore;
import agentengine.task.TaskWorker;
import agentengine.task.Tasks;
import agentengine.time.Watchdog;
import agentengine.tool.BuiltInTools;
import agentengine.tool.OutboundHttp;
import agentengine.tool.Toolbox;
import agentengine.tool.Tools;
import agentengine.trace.Tracing;
import agentengine.turn.Casts;
import agentengine.turn.Gates;
import agentengine.turn.TurnMetrics;
import agentengine.turn.TurnServices;
import agentengine.turn.Turns;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The whole engine: builds everything in order, and closes it in the opposite one. */
public final class Engine implements AutoCloseable {
  private final BootOptions options;
  private final UnaryOperator<@Nullable String> environment;
  private final InstantSource clock = InstantSource.system();
  private final Ids ids = new Ids(clock);
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final PrometheusMeterRegistry meters;
  private final Watchdog watchdog;
  private final Tracing tracing;
  private final Database db;
  private final Keys keys;
  private final AdminLog adminLog;
  private final HttpServer server;
  private @Nullable Turns turns;

  /**
   * Starts an engine. What is wrong with the options, the store or the configuration is thrown as
   * {@link BadOption}, {@link StoreUnavailable} or {@link
   * agentengine.config.ConfigurationException}, and nothing stays open.
   */
  public Engine(BootOptions options, UnaryOperator<@Nullable String> environment) {
    this.options = options;
    this.environment = environment;
    try {
      requireAddress(options.host());
      this.meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      open.push(meters::close);
      ProcessMeters _ = opened(new ProcessMeters(meters));
      this.watchdog = opened(new Watchdog());
      this.tracing = opened(TraceOptions.tracing(options.traces(), Version.current()));
      this.db = opened(openDatabase());
      this.keys = new Keys(options, db, clock);
      this.adminLog = new AdminLog(db, clock);
      this.server = build();
    } catch (RuntimeException e) {
      closeAll();
      throw e;
    }
  }

  private HttpServer build() {
    ApiTokens tokens = opened(new ApiTokens(db, adminLog, clock));
    keys.seedBootstrapToken(tokens);

    Configuration.Definitions definitions = definitions();
    Configuration configuration =
        new Configuration(
            new Configuration.Store(db, keys.master(), adminLog, clock), definitions, environment);
    ConfigurationFile configurationFile =
        new ConfigurationFile(options.configuration(), configuration);
    configurationFile.applyAtStart(Caller.ENGINE_START.id());

    SettingsStore settings = definitions.settings();
    LazySimulator simulator = opened(new LazySimulator());
    ModelRegistry modelRegistry = new ModelRegistry();
    ModelClient modelClient =
        new ModelClient(
            simulator::resolve,
            modelRegistry,
            watchdog,
            () -> settings.current().modelLimits(),
            meters,
            tracing);
    Sessions sessions = new Sessions(db);
    TaskStore taskStore = new TaskStore(clock);
    TaskMetrics.show(meters, db, taskStore);
    TaskMaking taskMaking = new TaskMaking(taskStore, ids, clock);
    Turns running =
        opened(
            turns(
                definitions,
                sessions,
                modelClient,
                new Prices(modelRegistry),
                new TaskNotes(db, taskStore, taskMaking)));
    turns = running;
    TaskWorker worker =
        opened(
            new TaskWorker(
                db, taskStore, running, () -> settings.current().turnLimits().concurrentTasks()));

    HttpServer http =
        server(
            new Api.Capabilities(
                tokens,
                keys.localSession(),
                adminLog,
                new ToolCallLog(db),
                definitions.models(),
                new ModelVerifier(modelClient, watchdog, ModelVerifier.LIMIT),
                modelRegistry,
                definitions.tools(),
                definitions.agents(),
                definitions.schemas(),
                sessions,
                running,
                new Tasks(db, taskStore, taskMaking, running, worker, clock),
                rateLimits(definitions),
                configuration,
                configurationFile,
                settings));
    running.start();
    worker.start();
    http.start();
    return http;
  }

  /** All that administrators define. */
  private Configuration.Definitions definitions() {
    MasterKey masterKey = keys.master();
    return new Configuration.Definitions(
        new Models(db, masterKey, clock, adminLog, Agents::usersOfModel),
        new Tools(db, masterKey, clock, adminLog, Agents::usersOfTool, environment),
        new Agents(db, clock, adminLog),
        new Schemas(db, clock, adminLog),
        new RateLimitRules(db, adminLog),
        opened(new SettingsStore(db, adminLog)));
  }

  private Turns turns(
      Configuration.Definitions definitions,
      Sessions sessions,
      ModelClient models,
      Prices prices,
      TaskNotes tasks) {
    Toolbox toolbox =
        new Toolbox(
            new BuiltInTools(clock),
            definitions.tools(),
            opened(new OutboundHttp("agent-engine/" + Version.current())),
            environment);
    return new Turns(
        new TurnServices(
            db,
            sessions,
            new Conversations(db),
            new ToolLedger(new AuditChain(db, keys.master())),
            new Casts(
                definitions.schemas(), definitions.agents(), definitions.models(), toolbox::tool),
            new Gates(),
            tasks,
            models,
            prices,
            () -> definitions.settings().current().turnLimits(),
            watchdog,
            ids,
            clock,
            new TurnMetrics(meters),
            tracing),
        new NodeLease(db, clock, ids));
  }

  private RateLimits rateLimits(Configuration.Definitions definitions) {
    return opened(
        new RateLimits(
            db,
            definitions.rateLimits(),
            () -> definitions.settings().current().rateLimit(),
            clock,
            meters));
  }

  private HttpServer server(Api.Capabilities capabilities) {
    return Api.server(
        new HttpServer.Options(
            options.host(),
            options.port(),
            // What comes after the server also takes a moment.
            options.shutdownGrace().multipliedBy(9).dividedBy(10)),
        capabilities,
        new Api.Environment(
            new Authenticator(capabilities.tokens(), keys.jwtVerifier()),
            options.corsOrigins(),
            meters,
            watchdog,
            ids,
            clock,
            Version.current()));
  }

  private static void requireAddress(String host) {
    try {
      InetAddress _ = InetAddress.getByName(host);
    } catch (UnknownHostException _) {
      throw new BadOption(Variable.HOST, "is a name without an address: '" + host + "'");
    }
  }

  private <T extends AutoCloseable> T opened(T resource) {
    open.push(resource);
    return resource;
  }

  private Database openDatabase() {
    BootOptions.DatabaseUrl url = options.database();
    return url == null
        ? SqliteDatabase.open(options.dataDirectory(), meters)
        : PostgresDatabase.open(url.uri(), meters);
  }

  public int port() {
    return server.port();
  }

  /** The store, for tests that have to break it. */
  Database database() {
    return db;
  }

  /** Stops gracefully: no new requests, a grace for what runs, then the store. */
  @Override
  public void close() {
    long start = System.nanoTime();
    server.close();
    if (turns != null) {
      // Turns that nobody listens to have the same grace.
      turns.drain(options.shutdownGrace().minusNanos(System.nanoTime() - start));
    }
    closeAll();
  }

  private void closeAll() {
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        System.getLogger(Engine.class.getName())
            .log(System.Logger.Level.WARNING, "could not close everything", e);
      }
    }
  }
}
