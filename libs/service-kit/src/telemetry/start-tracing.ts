import { within } from '../concurrency/within.ts'
import type { Logger } from './log.ts'
import type { TracingSettings } from './tracing-settings.ts'

/** How long a stopping process waits for its last spans to be sent; an unavailable collector must not delay it. */
const LAST_EXPORT_MS = 3_000

export interface Tracing {
  /** Sends the remaining spans and turns tracing off. Never throws. */
  stop(): Promise<void>
}

/**
 * Turns tracing on for this process, if an endpoint is configured. The SDK is loaded only then: otherwise it costs
 * neither memory nor time.
 */
export async function startTracing(
  service: string,
  settings: TracingSettings,
  log: Logger,
): Promise<Tracing> {
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === null) return { stop: async () => {} }
  const { startSdk } = await import('./tracing-sdk.ts')
  const sdk = startSdk(service, settings.OTEL_EXPORTER_OTLP_ENDPOINT, settings, log)
  return {
    stop: () => within(LAST_EXPORT_MS, 'the last spans were not taken in time', sdk.stop()).catch(() => {}),
  }
}
