package prakriya.engine;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import org.operaton.bpm.engine.IdentityService;
import org.operaton.bpm.engine.ProcessEngine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets in only callers that know the gateway's secret, and acts as the person that they name, so that the
 * engine's operation log names that person. Headers: X-Gateway-Secret; X-Auth-User, X-Auth-Groups and
 * X-Auth-Tenants (comma-separated); X-Command-Id.
 */
final class GatewayFilter extends OncePerRequestFilter {
  private static final Logger LOG = LoggerFactory.getLogger(GatewayFilter.class);
  private final ProcessEngine engine;
  private final byte[] secret;

  GatewayFilter(ProcessEngine engine, String secret) {
    if (secret.length() < 16) throw new IllegalArgumentException("ENGINE_SECRET needs at least 16 characters");
    this.engine = engine;
    this.secret = secret.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    String given = request.getHeader("X-Gateway-Secret");
    if (given == null || !MessageDigest.isEqual(secret, given.getBytes(StandardCharsets.UTF_8))) {
      response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
      return;
    }
    String user = request.getHeader("X-Auth-User");
    IdentityService identity = engine.getIdentityService();
    EventRows.COMMAND.set(request.getHeader("X-Command-Id"));
    // Without a user it is the system that acts: no operation log, and tenants are not checked.
    if (user != null && !user.isBlank()) {
      identity.setAuthentication(user, names(request, "X-Auth-Groups"), names(request, "X-Auth-Tenants"));
    }
    try {
      chain.doFilter(request, response);
    } finally {
      String command = request.getHeader("X-Command-Id");
      if (command != null) {
        LOG.info("case={} command={} {} {} answered {}", request.getHeader("X-Case-Id"), command,
            request.getMethod(), request.getRequestURI(), response.getStatus());
      }
      identity.clearAuthentication();
      EventRows.COMMAND.remove();
    }
  }

  /** Never null: for null the engine would look the groups and tenants up in its own identity tables. */
  private static List<String> names(HttpServletRequest request, String header) {
    String value = request.getHeader(header);
    return value == null || value.isBlank() ? List.of() : List.of(value.trim().split("\\s*,\\s*"));
  }
}
