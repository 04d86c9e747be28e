/** A float without fraction: `1.0` is no integer, and is shown with its point. */
export class WholeFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }

  toString(): string {
    const text = String(this.value);
    return /^-?\d+$/.test(text) ? `${text}.0` : text;
  }
}
