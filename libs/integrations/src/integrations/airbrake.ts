import { z } from 'zod'
import { defineIntegration, message } from '../kernel/integration.ts'
import { named, text, url } from '../shared/fields.ts'
import { code, inline, link, quote } from '../shared/markdown.ts'

export const airbrake = defineIntegration({
  name: 'airbrake',
  displayName: 'Airbrake',
  description: 'Errors of programs.',
  setup: `In Airbrake, open the project's **Settings**, **Integrations**, **Webhook**, enter \`{url}\` under **URL**, and save.`,
  payload: z.looseObject({
    airbrake_error_url: url,
    error: z.looseObject({
      error_class: text,
      error_message: text,
      environment: text,
      file: text,
      line_number: text,
      times_occurred: text,
      project: named,
    }),
  }),
  format: ({ payload: { error, airbrake_error_url: address } }) => {
    const {
      error_class: kind,
      error_message: said,
      environment,
      file,
      line_number: line,
      times_occurred: times,
    } = error
    const place = code(file === '' ? '' : `${file}${line === '' ? '' : `:${line}`}`)
    const head = [
      `**${link(kind || 'Error', address)}**`,
      ...(environment === '' ? [] : [`in ${inline(environment)}`]),
      ...(place === '' ? [] : [`at ${place}`]),
      ...(times === '' || times === '1' ? [] : [`(${inline(times)} times)`]),
    ].join(' ')
    const details = said.trim() === '' ? '.' : `:\n\n${quote(said)}`
    return message(null, error.project?.name || 'Airbrake', head + details)
  },
})
