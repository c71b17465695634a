package agentengine.torture;

import agentengine.testing.TestDatabases;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The command line. */
record TortureOptions(int kills, int clients, TestDatabases.Kind database, long seed) {
  static final String USAGE =
      """
      Usage: ./engine torture [options]
        --kills N                     how often the engine is killed, 0 to 100000 (default 200)
        --clients K                   how many clients chat meanwhile, 1 to 100 (default 8)
        --database sqlite|postgres    what it runs on (default sqlite)
        --seed S                      a number from which scenarios and instants are drawn
      """;

  static TortureOptions parse(String... args) {
    int kills = 200;
    int clients = 8;
    TestDatabases.Kind database = TestDatabases.Kind.SQLITE;
    long seed = ThreadLocalRandom.current().nextLong(1_000_000);
    Iterator<String> rest = List.of(args).iterator();
    while (rest.hasNext()) {
      String option = rest.next();
      switch (option) {
        case "--kills" -> kills = number(option, valueOf(option, rest), 0, 100_000);
        case "--clients" -> clients = number(option, valueOf(option, rest), 1, 100);
        case "--database" -> database = databaseOf(valueOf(option, rest));
        case "--seed" -> seed = number(option, valueOf(option, rest), 0, Integer.MAX_VALUE);
        default -> throw new IllegalArgumentException("unknown option " + option);
      }
    }
    return new TortureOptions(kills, clients, database, seed);
  }

  private static TestDatabases.Kind databaseOf(String name) {
    return switch (name) {
      case "sqlite" -> TestDatabases.Kind.SQLITE;
      case "postgres" -> TestDatabases.Kind.POSTGRES;
      default -> throw new IllegalArgumentException("--database takes sqlite or postgres");
    };
  }

  private static int number(String option, String value, int min, int max) {
    if (value.matches("\\d{1,9}|[12]\\d{9}")) {
      long number = Long.parseLong(value);
      if (number >= min && number <= max) {
        return (int) number;
      }
    }
    throw new IllegalArgumentException(
        option + " takes a number from " + min + " to " + max + ", not " + value);
  }

  private static String valueOf(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return rest.next();
  }
}
