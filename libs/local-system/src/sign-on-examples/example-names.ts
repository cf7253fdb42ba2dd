export const exampleNames = ['ldap', 'oidc', 'saml'] as const
export type ExampleName = (typeof exampleNames)[number]

/** Parses `ldap,oidc`. Throws an error that lists what is possible. */
export function parseExampleNames(texts: readonly string[]): ExampleName[] {
  const asked = texts.flatMap((text) => text.split(',')).map((text) => text.trim())
  const names = asked.map((text) => {
    const name = exampleNames.find((known) => known === text)
    if (name === undefined) throw new Error(`with ${text}: any of ${exampleNames.join(',')}`)
    return name
  })
  return [...new Set(names)]
}
