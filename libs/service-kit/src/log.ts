import { trace } from '@opentelemetry/api'
import { type Logger, pino } from 'pino'
import { traceFields } from './tracing/tracer.ts'

export type { Logger }

/**
 * The root logger of a process: JSON lines on stdout. Credentials in logged objects are masked. Where requests are traced,
 * each line names the trace and the span that it belongs to.
 */
export function createLog(service: string, level: string, { isTraced = false } = {}): Logger {
  return pino({
    level,
    base: { service },
    // An error of a wrong URL has the URL, with what is in it.
    redact: { paths: ['*.password', '*.api_key', '*.authorization', '*.input'], censor: '[hidden]' },
    formatters: { level: (label) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(isTraced ? { mixin: () => traceFields(trace.getActiveSpan()) } : {}),
  })
}
