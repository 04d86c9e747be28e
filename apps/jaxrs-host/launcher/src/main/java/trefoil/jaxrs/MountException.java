package trefoil.jaxrs;

/** A package cannot be mounted; the message is for who configured it. */
public final class MountException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MountException(String message) {
        super(message);
    }
}
