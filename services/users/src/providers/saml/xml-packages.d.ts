/** The part of the parser that is used. The types of the whole package would bring those of browsers. */
declare module '@xmldom/xmldom/lib/dom-parser.js' {
  interface XmlNode {
    readonly nodeType: number
    readonly nodeValue: string | null
    readonly textContent: string | null
    readonly parentNode: XmlNode | null
    readonly childNodes: ArrayLike<XmlNode>
  }

  interface XmlElement extends XmlNode {
    readonly localName: string
    readonly namespaceURI: string | null
    getAttribute(name: string): string
    hasAttribute(name: string): boolean
    toString(): string
  }

  class DOMParser {
    constructor(options: { errorHandler: (level: string, message: string) => void })
    parseFromString(xml: string, type: 'text/xml'): { readonly documentElement: XmlElement | null }
  }
}

declare module 'xml-encryption' {
  function decrypt(
    xml: string,
    options: { readonly key: string },
    callback: (err: Error | null, xml: string) => void,
  ): void
  /** Tests play a provider with it. */
  function encrypt(
    xml: string,
    options: {
      readonly rsa_pub: string
      readonly pem: string
      readonly encryptionAlgorithm: string
      readonly keyEncryptionAlgorithm: string
      readonly warnInsecureAlgorithm: boolean
    },
    callback: (err: Error | null, xml: string) => void,
  ): void
}
