import { type Logger, pino } from 'pino'

export type { Logger }

/** The root logger of a process: JSON lines on stdout. Credentials in logged objects are masked. */
export function createLog(service: string, level: string): Logger {
  return pino({
    level,
    base: { service },
    redact: { paths: ['*.password', '*.api_key', '*.authorization'], censor: '[hidden]' },
    formatters: { level: (label) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  })
}
