// The common beginning of two texts that arrive.

/** The common beginning of two texts; no character is compared twice. */
export class Common {
  #sides = [[], []]; // pieces behind what was taken
  #first = [0, 0]; // which of them is next, and how much of it was taken
  #at = [0, 0];
  #isParted = false;

  add(side, text) {
    if (text !== '') this.#sides[side].push(text);
  }

  /** What both have behind what was taken. */
  take() {
    let taken = '';
    while (!this.#isParted) {
      const [a, b] = [0, 1].map((side) => this.#sides[side][this.#first[side]]);
      if (a === undefined || b === undefined) break;
      const length = Math.min(a.length - this.#at[0], b.length - this.#at[1]);
      const alike = this.#alike(a, b, length);
      taken += a.slice(this.#at[0], this.#at[0] + alike);
      this.#isParted = alike < length;
      this.#advance(alike);
    }
    return taken;
  }

  #alike(a, b, length) {
    let alike = 0;
    while (alike < length && a[this.#at[0] + alike] === b[this.#at[1] + alike]) alike++;
    // Half a pair is no character.
    const isHalf = alike < length && /[\ud800-\udbff]$/.test(a[this.#at[0] + alike - 1] ?? '') &&
      /^[\udc00-\udfff]/.test(a[this.#at[0] + alike]);
    return isHalf ? alike - 1 : alike;
  }

  #advance(length) {
    for (const side of [0, 1]) {
      this.#at[side] += length;
      if (this.#at[side] < this.#sides[side][this.#first[side]].length) continue;
      this.#sides[side][this.#first[side]] = '';
      this.#first[side]++;
      this.#at[side] = 0;
    }
  }

  /** What one side has behind what was taken. */
  rest(side) {
    const [piece = '', ...others] = this.#sides[side].slice(this.#first[side]);
    return piece.slice(this.#at[side]) + others.join('');
  }
}
