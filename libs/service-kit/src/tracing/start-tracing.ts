import type { Logger } from '../log.ts'
import { within } from '../within.ts'
import type { TracingSettings } from './settings.ts'

/** How long a process that stops waits for its last spans to be taken; a collector that is away shall not keep it. */
const LAST_EXPORT_MS = 3_000

export interface Tracing {
  /** Sends what is left and turns tracing off. Never throws. */
  stop(): Promise<void>
}

/**
 * Turns tracing on for this process, if there is somewhere for traces to go. The SDK is loaded only then: without, it
 * costs neither memory nor time.
 */
export async function startTracing(
  service: string,
  settings: TracingSettings,
  log: Logger,
): Promise<Tracing> {
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === null) return { stop: async () => {} }
  const { startSdk } = await import('./sdk.ts')
  const sdk = startSdk(service, settings.OTEL_EXPORTER_OTLP_ENDPOINT, settings, log)
  return {
    stop: () => within(LAST_EXPORT_MS, 'the last spans were not taken in time', sdk.stop()).catch(() => {}),
  }
}
