import { trace } from '@opentelemetry/api'
import { type Logger, pino } from 'pino'
import { traceFields } from './tracer.ts'

export type { Logger }

/**
 * The root logger of a process: JSON lines on stdout. Credentials in logged objects are masked. If requests are
 * traced, each line has the IDs of its trace and span.
 */
export function createLog(service: string, level: string, { isTraced = false } = {}): Logger {
  return pino({
    level,
    base: { service },
    // The error of a malformed URL contains the URL, with its password.
    redact: { paths: ['*.password', '*.api_key', '*.authorization', '*.input'], censor: '[hidden]' },
    formatters: { level: (label) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(isTraced ? { mixin: () => traceFields(trace.getActiveSpan()) } : {}),
  })
}
