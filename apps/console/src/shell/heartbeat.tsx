import { type JSX } from "preact";
import { useEffect } from "preact/hooks";
import { useApplication } from "../state/application.ts";

const PERIOD_MS = 10_000;

/** Asks every few seconds whether the server is there, while anyone looks, and says when it is not. */
export function Heartbeat(): JSX.Element | null {
  const { server } = useApplication();
  useEffect(() => {
    const beat = (): void => {
      if (!document.hidden) {
        server.send("/db/data/", { method: "OPTIONS" }).catch(() => undefined);
      }
    };
    const timer = setInterval(beat, PERIOD_MS);
    return () => clearInterval(timer);
  }, [server]);
  return server.isReachable.value ? null : (
    <div class="connection-lost" role="alert">
      The server does not answer. This page goes on as soon as it does.
    </div>
  );
}
