package trefoil.jaxrs.flavour;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.SecurityContext;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.List;
import java.util.Set;

/** Who asks, as the graph server has found out: {@code @Context SecurityContext}. */
@PreMatching
public final class CallerFilter implements ContainerRequestFilter {
    private static final String USER = "X-Trefoil-User";
    private static final String ROLES = "X-Trefoil-Roles";
    private static final String SECRET = "X-Trefoil-Secret";

    @Override
    public void filter(ContainerRequestContext request) {
        String user = decoded(request.getHeaderString(USER));
        String roles = request.getHeaderString(ROLES);
        List.of(USER, ROLES, SECRET).forEach(request.getHeaders()::remove);
        boolean isSecure = "https".equals(request.getHeaderString("X-Forwarded-Proto"));
        Principal principal = user == null ? null : () -> user;
        Set<String> held = roles == null ? Set.of() : Set.of(roles.split(","));
        request.setSecurityContext(new SecurityContext() {
            @Override
            public Principal getUserPrincipal() {
                return principal;
            }

            @Override
            public boolean isUserInRole(String role) {
                return held.contains(role);
            }

            @Override
            public boolean isSecure() {
                return isSecure;
            }

            @Override
            public String getAuthenticationScheme() {
                return principal == null ? null : BASIC_AUTH;
            }
        });
    }

    private static String decoded(String text) {
        return text == null ? null : URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
