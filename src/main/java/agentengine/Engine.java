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
import agentengine.auth.JwtVerifier;
import agentengine.auth.LocalSession;
import agentengine.auth.SigningKeys;
import agentengine.config.BadOption;
import agentengine.config.BootOptions;
import agentengine.config.Configuration;
import agentengine.config.ConfigurationFile;
import agentengine.config.MasterKeySource;
import agentengine.config.Settings;
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
import agentengine.limit.Limit;
import agentengine.limit.RateLimitRules;
import agentengine.limit.RateLimits;
import agentengine.model.ModelClient;
import agentengine.model.ModelRegistry;
import agentengine.model.ModelVerifier;
import agentengine.model.Models;
import agentengine.model.Prices;
import agentengine.secret.MasterKey;
import agentengine.secret.MasterKeyCheck;
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
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.PublicKey;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The whole engine: builds everything in order, and closes it in the opposite one. */
public final class Engine implements AutoCloseable {
  private final BootOptions options;
  private final InstantSource clock = InstantSource.system();
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final Database db;
  private final HttpServer server;
  private @Nullable Turns turns;

  /**
   * Starts an engine. What is wrong with the options, the store or the configuration is thrown as
   * {@link BadOption}, {@link StoreUnavailable} or {@link
   * agentengine.config.ConfigurationException}, and nothing stays open.
   */
  public Engine(BootOptions options, UnaryOperator<@Nullable String> environment) {
    this.options = options;
    try {
      requireAddress(options.host());
      PrometheusMeterRegistry meters = meters();
      open.push(meters::close);
      this.db = opened(database(meters));
      this.server = build(environment, meters);
    } catch (RuntimeException e) {
      closeAll();
      throw e;
    }
  }

  private HttpServer build(
      UnaryOperator<@Nullable String> environment, PrometheusMeterRegistry meters) {
    MasterKey masterKey = masterKey(db);
    Watchdog watchdog = opened(new Watchdog());
    Ids ids = new Ids(clock);
    Tracing tracing = opened(TraceOptions.tracing(options.traces(), Version.current()));

    AdminLog adminLog = new AdminLog(db, clock);
    ApiTokens tokens = opened(new ApiTokens(db, adminLog, clock));
    seedBootstrapToken(tokens);

    Models models = new Models(db, masterKey, clock, adminLog, Agents::usersOfModel);
    Tools tools = new Tools(db, masterKey, clock, adminLog, Agents::usersOfTool, environment);
    Agents agents = new Agents(db, clock, adminLog);
    Schemas schemas = new Schemas(db, clock, adminLog);
    RateLimitRules rateLimitRules = new RateLimitRules(db, adminLog);
    SettingsStore settings = opened(new SettingsStore(db, adminLog));
    Configuration configuration =
        new Configuration(
            new Configuration.Store(db, masterKey, adminLog, clock),
            new Configuration.Definitions(models, tools, agents, schemas, rateLimitRules, settings),
            environment);
    ConfigurationFile configurationFile =
        new ConfigurationFile(options.configuration(), configuration);
    configurationFile.applyAtStart(Caller.ENGINE_START.id());

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
    ToolLedger ledger = new ToolLedger(new AuditChain(db, masterKey));
    TaskStore taskStore = new TaskStore(clock);
    TaskMetrics.show(meters, db, taskStore);
    TaskMaking taskMaking = new TaskMaking(taskStore, ids, clock);
    Toolbox toolbox =
        new Toolbox(
            new BuiltInTools(clock),
            tools,
            opened(new OutboundHttp("agent-engine/" + Version.current())),
            environment);
    turns =
        new Turns(
            new TurnServices(
                db,
                sessions,
                new Conversations(db),
                ledger,
                new Casts(schemas, agents, models, toolbox::tool),
                new Gates(),
                new TaskNotes(db, taskStore, taskMaking),
                modelClient,
                new Prices(modelRegistry),
                () -> settings.current().turnLimits(),
                watchdog,
                ids,
                clock,
                new TurnMetrics(meters),
                tracing),
            new NodeLease(db, clock, ids));
    open.push(turns);
    TaskWorker worker =
        opened(
            new TaskWorker(
                db, taskStore, turns, () -> settings.current().turnLimits().concurrentTasks()));

    KeyPair localKeys =
        options.auth().publicKey() == null ? SigningKeys.local(db, masterKey, clock) : null;
    HttpServer http =
        Api.server(
            new HttpServer.Options(
                options.host(),
                options.port(),
                // What comes after the server also takes a moment.
                options.shutdownGrace().multipliedBy(9).dividedBy(10)),
            new Api.Capabilities(
                tokens,
                localSession(localKeys),
                adminLog,
                new ToolCallLog(db),
                models,
                new ModelVerifier(modelClient, watchdog, ModelVerifier.LIMIT),
                modelRegistry,
                tools,
                agents,
                schemas,
                sessions,
                turns,
                new Tasks(db, taskStore, taskMaking, turns, worker, clock),
                opened(
                    new RateLimits(
                        db, rateLimitRules, () -> tokenLimit(settings.current()), clock, meters)),
                configuration,
                configurationFile,
                settings),
            new Api.Environment(
                new Authenticator(
                    tokens,
                    new JwtVerifier(publicKey(localKeys), options.auth().jwtRules(), clock)),
                options.corsOrigins(),
                meters,
                watchdog,
                ids,
                clock,
                Version.current()));
    turns.start();
    worker.start();
    http.start();
    return http;
  }

  private static Limit tokenLimit(Settings settings) {
    return new Limit(settings.rateLimit().requests(), settings.rateLimit().window());
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

  private PrometheusMeterRegistry meters() {
    PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new JvmMemoryMetrics().bindTo(meters);
    new JvmThreadMetrics().bindTo(meters);
    opened(new JvmGcMetrics()).bindTo(meters);
    new ProcessorMetrics().bindTo(meters);
    new UptimeMetrics().bindTo(meters);
    new FileDescriptorMetrics().bindTo(meters);
    return meters;
  }

  private Database database(PrometheusMeterRegistry meters) {
    BootOptions.DatabaseUrl url = options.database();
    return url == null
        ? SqliteDatabase.open(options.dataDirectory(), meters)
        : PostgresDatabase.open(url.uri(), meters);
  }

  private MasterKey masterKey(Database db) {
    MasterKey key = MasterKeySource.toStartWith(options);
    try {
      MasterKeyCheck.run(db, key);
      return key;
    } catch (MasterKey.WrongKeyException _) {
      throw new BadOption(
          Variable.MASTER_KEY,
          "does not open what is in the database: give the key it was made with");
    }
  }

  private void seedBootstrapToken(ApiTokens tokens) {
    if (options.bootstrapToken() != null) {
      try {
        tokens.seedBootstrap(options.bootstrapToken().reveal());
      } catch (IllegalArgumentException e) {
        throw new BadOption(Variable.BOOTSTRAP_TOKEN, "is not an API token: " + e.getMessage());
      }
    }
  }

  private @Nullable LocalSession localSession(@Nullable KeyPair localKeys) {
    return localKeys == null || !options.auth().localSession()
        ? null
        : new LocalSession(localKeys.getPrivate(), options.auth().localSessionTtl(), clock);
  }

  private PublicKey publicKey(@Nullable KeyPair localKeys) {
    Path file = options.auth().publicKey();
    if (localKeys != null) {
      return localKeys.getPublic();
    }
    try {
      return SigningKeys.external(file == null ? Path.of("") : file);
    } catch (IllegalArgumentException e) {
      throw new BadOption(Variable.JWT_PUBLIC_KEY, "cannot be used: " + e.getMessage());
    }
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
