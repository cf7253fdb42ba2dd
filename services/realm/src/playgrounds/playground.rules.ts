import { AppError } from '@tms/contracts'
import { templateVariables } from '@tms/linkifiers'
import type { PlaygroundText } from './playground.queries.ts'

/** Anything that could name a language of code blocks; unknown languages are allowed. */
const LANGUAGE = /^[ a-zA-Z0-9_+,./#-]{1,40}$/
const MAX_NAME_LENGTH = 100
const MAX_TEMPLATE_LENGTH = 1_000
/** Every change publishes all of them. */
const MAX_PLAYGROUNDS = 500
/** The variable that a template must contain (API document, "Code playground"). */
const VARIABLE = 'code'

type Faults = Partial<Record<'name' | 'highlighter_language' | 'url_template' | '__all__', string[]>>

/** Validates a playground's input and returns it as it is stored. Throws BAD_REQUEST with `errors` by field. */
export function checkPlayground(sent: {
  name: string
  highlighter_language: string
  url_template: string
}): PlaygroundText {
  const name = sent.name.trim()
  const language = sent.highlighter_language.trim()
  const urlTemplate = sent.url_template.trim()
  const faults: Faults = {
    ...faultOf('name', nameFault(name)),
    ...faultOf('highlighter_language', languageFault(language)),
    ...faultOf('url_template', templateFault(urlTemplate)),
  }
  if (Object.keys(faults).length > 0) throw invalid(faults)
  return { name, language, urlTemplate }
}

/** Throws BAD_REQUEST if the language has a playground of that name already, or for one too many. */
export function checkPlaygroundIsNew(
  { name, language }: Pick<PlaygroundText, 'name' | 'language'>,
  existing: readonly { readonly name: string; readonly language: string }[],
): void {
  if (existing.some((other) => other.name === name && other.language === language))
    throw invalid({ __all__: ['There is a playground with this name for this language already.'] })
  if (existing.length >= MAX_PLAYGROUNDS)
    throw invalid({ __all__: [`An organization has at most ${MAX_PLAYGROUNDS} playgrounds.`] })
}

function nameFault(name: string): string | null {
  if (name === '') return 'This must not be empty.'
  if (name.includes('\0')) return 'This has a character that no text has.'
  return [...name].length > MAX_NAME_LENGTH ? `This has more than ${MAX_NAME_LENGTH} characters.` : null
}

function languageFault(language: string): string | null {
  if (language === '') return 'This must not be empty.'
  return LANGUAGE.test(language) ? null : 'This cannot be the name of a language: 1 to 40 plain characters.'
}

function templateFault(urlTemplate: string): string | null {
  if (urlTemplate === '') return 'This must not be empty.'
  if (urlTemplate.includes('\0')) return 'This has a character that no text has.'
  if ([...urlTemplate].length > MAX_TEMPLATE_LENGTH)
    return `This has more than ${MAX_TEMPLATE_LENGTH} characters.`
  const variables = templateVariables(urlTemplate)
  if (variables === null) return 'This is no URL template as RFC 6570 defines them.'
  if (!variables.has(VARIABLE)) return `The URL template has no {${VARIABLE}}.`
  return variables.size > 1 ? `The URL template has other variables than {${VARIABLE}}.` : null
}

const faultOf = (field: keyof Faults, fault: string | null): Faults =>
  fault === null ? {} : { [field]: [fault] }

function invalid(errors: Faults): AppError {
  const [message = 'Invalid playground'] = Object.values(errors).flat()
  return new AppError('BAD_REQUEST', { message, details: { errors } })
}
