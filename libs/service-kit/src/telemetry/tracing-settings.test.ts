import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parseEnvironment } from '../validation/parse-environment.ts'
import { tracingVariables } from './tracing-settings.ts'

const schema = z.object(tracingVariables)
const endpoint = 'http://collector:4318'

describe('the variables of tracing', () => {
  test('disable tracing by default, with the other defaults of OpenTelemetry', () => {
    expect(parseEnvironment(schema, {})).toEqual({
      OTEL_EXPORTER_OTLP_ENDPOINT: null,
      OTEL_EXPORTER_OTLP_HEADERS: null,
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
      OTEL_TRACES_SAMPLER_ARG: 1,
      OTEL_SERVICE_NAME: null,
      OTEL_RESOURCE_ATTRIBUTES: null,
    })
  })

  test('count as absent if they are empty', () => {
    const empty = Object.fromEntries(Object.keys(tracingVariables).map((name) => [name, '']))
    expect(parseEnvironment(schema, empty)).toEqual(parseEnvironment(schema, {}))
  })

  test('set the collector, its headers, and the resource', () => {
    const set = {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20eA==, x-team=a',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.05',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=production',
    }
    expect(parseEnvironment(schema, set)).toMatchObject({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: { authorization: 'Basic eA==', 'x-team': 'a' },
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: 0.05,
      OTEL_RESOURCE_ATTRIBUTES: { 'deployment.environment.name': 'production' },
    })
  })

  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=%zz'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ])('reject %s=%s', (name, value) => {
    expect(() => parseEnvironment(schema, { [name]: value })).toThrow(name)
  })
})
