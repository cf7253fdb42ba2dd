/**
 * An object's JSON text in UTF-8. Whoever gets one hands it on as it is: what can have tens of megabytes is written once,
 * where it is known, and read once, by the client.
 */
export class JsonText {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}
