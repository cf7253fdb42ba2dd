import type { z } from 'zod'
import { FORCED_EXIT_MS } from '../lifecycle/shutdown.ts'
import { createLog, type Logger } from '../telemetry/log.ts'
import { startTracing } from '../telemetry/start-tracing.ts'
import type { TracingSettings } from '../telemetry/tracing-settings.ts'
import { refuseDistrusted } from '../tls/distrusted.ts'
import { clientTlsOf, type tlsVariables } from '../tls/settings.ts'
import { parseEnvironment } from '../validation/parse-environment.ts'
import { collectAfterStart } from './collect-after-start.ts'

/**
 * Starts a service and handles the process's signals: SIGTERM or SIGINT closes it, and the process ends by itself. If
 * a service can't start, that is logged and the process exits with 1.
 */
export async function run(log: Logger, start: () => Promise<{ close: () => Promise<void> }>): Promise<void> {
  let service: { close: () => Promise<void> } | undefined
  const stop = async (signal: string) => {
    log.info({ signal }, 'stopping')
    // Still starting, nobody was served. (The first process of a container would otherwise not receive the signal.)
    if (!service) process.exit(0)
    setTimeout(() => process.exit(1), FORCED_EXIT_MS).unref()
    await service.close()
    log.info('stopped')
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  try {
    service = await start()
    collectAfterStart()
  } catch (err) {
    log.fatal({ err }, 'service could not start')
    process.exitCode = 1
    process.removeListener('SIGTERM', stop).removeListener('SIGINT', stop)
  }
}

/**
 * A service's whole `main`: reads its variables and runs it. An invalid configuration is one message on stderr that
 * lists every problem, and exit code 1; so is a server whose certificate isn't trusted.
 */
export async function runService<
  S extends z.ZodObject &
    z.ZodType<{ LOG_LEVEL: string } & TracingSettings & z.output<z.ZodObject<typeof tlsVariables>>>,
>(
  name: string,
  configSchema: S,
  environment: Readonly<Record<string, string | undefined>>,
  createService: (config: z.output<S>, log: Logger) => Promise<{ close: () => Promise<void> }>,
): Promise<void> {
  let config: z.output<S>
  try {
    config = parseEnvironment(configSchema, environment)
    await refuseDistrusted(addressesIn(config), clientTlsOf(config))
  } catch (err) {
    process.stderr.write(`${name}: ${err instanceof Error ? err.message : String(err)}\n`)
    process.exitCode = 1
    return
  }
  const log = createLog(name, config.LOG_LEVEL, { isTraced: config.OTEL_EXPORTER_OTLP_ENDPOINT !== null })
  await run(log, async () => {
    const tracing = await startTracing(name, config, log)
    const service = await createService(config, log)
    return {
      close: async () => {
        await service.close()
        await tracing.stop()
      },
    }
  })
}

/** Sets a program's exit code; the process ends by itself once nothing keeps it running. */
export function setExitCode(code: number): void {
  process.exitCode = code
}

/** The URLs of servers, by variable. */
function addressesIn(config: object): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(config).filter(([name, value]) => name.endsWith('_URL') && value !== undefined),
  ) as Record<string, string | string[]>
}
