import type { SignOnCheck } from '@tms/contracts'

type Step = SignOnCheck['steps'][number]

/** Control characters, which a terminal obeys. */
const CONTROLS = /\p{Cc}+/gu
const MAX_TEXT_LENGTH = 500

/** What a check has found out so far, in order. Texts have no secrets. */
export class Steps {
  readonly #list: Step[] = []
  readonly #secrets: readonly string[]

  constructor(secrets: readonly string[] = []) {
    this.#secrets = secrets.filter((secret) => secret !== '')
  }

  get list(): readonly Step[] {
    return this.#list
  }

  get isWorking(): boolean {
    return this.#list.every(({ outcome }) => outcome !== 'wrong')
  }

  ok(text: string): true {
    this.#add('ok', text)
    return true
  }

  /** What an operator should know, though sign-ins work. */
  note(text: string): true {
    this.#add('note', text)
    return true
  }

  wrong(text: string): false {
    this.#add('wrong', text)
    return false
  }

  /** Other servers may repeat in their errors what was sent to them, and say anything to a terminal. */
  #add(outcome: Step['outcome'], text: string): void {
    const forms = this.#secrets.flatMap((secret) => [secret, encodeURIComponent(secret)])
    const hidden = forms.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
    this.#list.push({ outcome, text: hidden.replace(CONTROLS, ' ').slice(0, MAX_TEXT_LENGTH) })
  }
}

/** An error in a few words. */
export function reasonOf(err: unknown): string {
  if (!(err instanceof Error)) return String(err)
  const code = 'code' in err && typeof err.code === 'string' ? err.code : null
  const cause = err.cause instanceof Error ? err.cause : null
  const message = err.message || cause?.message || err.name
  return code === null || message.includes(code) ? message : `${message} (${code})`
}
