import { z } from 'zod'

/** Null if it is absent. */
const orNull = <S extends z.ZodType>(schema: S) => schema.optional().transform((value) => value ?? null)

/** `key=value,key=value`; other characters are percent-encoded. */
const pairs = z
  .string()
  .refine(
    (text) => text.split(',').every((pair) => /^\s*([^=\s]+=(%[0-9A-Fa-f]{2}|[^%])*)?$/.test(pair)),
    'is not a list like key=value,key=value',
  )
  .transform((text) =>
    Object.fromEntries(
      text
        .split(',')
        .filter((pair) => pair.includes('='))
        .map((pair) => {
          const at = pair.indexOf('=')
          return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]
        }),
    ),
  )

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** Whether and where requests are traced: OpenTelemetry's own variables, as far as services support them. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: orNull(z.url()).describe(
    'Where traces go: base URL of a collector that takes OTLP over HTTP, as http://collector:4318; nothing is traced when absent.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: orNull(pairs).describe(
    'Headers for the collector, as key=value,key=value; usually credentials.',
  ),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS)
    .default('parentbased_always_on')
    .describe(
      `Which requests are recorded: ${SAMPLERS.join(', ')}. Those that begin with parentbased follow what the client's traceparent says.`,
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('For the samplers by ratio: the share of traces that is recorded, from 0 to 1.'),
  OTEL_SERVICE_NAME: orNull(z.string()).describe(
    'Name of the service in traces; tms- and its own name when absent, as tms-gateway.',
  ),
  OTEL_RESOURCE_ATTRIBUTES: orNull(pairs).describe(
    'Additional attributes of where spans come from, as deployment.environment.name=production,k8s.pod.name=….',
  ),
} as const

/** The parsed variables. */
export type TracingSettings = {
  readonly [K in keyof typeof tracingVariables]: z.output<(typeof tracingVariables)[K]>
}
