package agentengine.http;

import io.helidon.http.Method;

/** One line of the route table. */
record Route(Method method, String path, Access access, Handler handler) {
  /** Answers a request. */
  @FunctionalInterface
  interface Handler {
    void handle(Exchange exchange) throws Exception;
  }

  static Route get(String path, Access access, Handler handler) {
    return new Route(Method.GET, path, access, handler);
  }

  static Route post(String path, Access access, Handler handler) {
    return new Route(Method.POST, path, access, handler);
  }

  static Route put(String path, Access access, Handler handler) {
    return new Route(Method.PUT, path, access, handler);
  }

  static Route delete(String path, Access access, Handler handler) {
    return new Route(Method.DELETE, path, access, handler);
  }
}
