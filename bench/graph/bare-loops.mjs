/**
 * The answers that engines must give, computed by the barest loops over typed arrays: what is checked before anything
 * is timed, and what the global count is held against.
 */

/** `(a)-->(b)-->(c)` with a.age > 80, b.age > 20, c.age < 50, every path looked at. */
export function twoHopFilteredCount({ persons, ages, offsets, neighbours }) {
  let count = 0;
  for (let a = 0; a < persons; a++) {
    if (ages[a] > 80) {
      for (let first = offsets[a]; first < offsets[a + 1]; first++) {
        const b = neighbours[first];
        if (ages[b] > 20) {
          for (let second = offsets[b]; second < offsets[b + 1]; second++) {
            if (ages[neighbours[second]] < 50) {
              count += 1;
            }
          }
        }
      }
    }
  }
  return count;
}

/** How many persons lie at the end of a walk of exactly `hops` relationships, none of them twice. */
export function distinctAtHops({ offsets, neighbours }, from, hops) {
  const found = new Set();
  const used = new Set();
  const walk = (node, left) => {
    for (let index = offsets[node]; index < offsets[node + 1]; index++) {
      if (!used.has(index)) {
        if (left === 1) {
          found.add(neighbours[index]);
        } else {
          used.add(index);
          walk(neighbours[index], left - 1);
          used.delete(index);
        }
      }
    }
  };
  walk(from, hops);
  return found;
}

/** How many persons lie at the end of a walk of one to `hops` relationships. */
export function distinctWithin(graph, from, hops) {
  const found = new Set();
  for (let length = 1; length <= hops; length++) {
    distinctAtHops(graph, from, length).forEach((node) => found.add(node));
  }
  return found.size;
}

/** Closed walks of three relationships through each of the first `through` persons. */
export function triangles({ offsets, neighbours }, through) {
  let count = 0;
  for (let a = 0; a < through; a++) {
    for (let first = offsets[a]; first < offsets[a + 1]; first++) {
      const b = neighbours[first];
      for (let second = offsets[b]; second < offsets[b + 1]; second++) {
        const c = neighbours[second];
        for (let third = offsets[c]; third < offsets[c + 1]; third++) {
          count += neighbours[third] === a ? 1 : 0;
        }
      }
    }
  }
  return count;
}

/** Relationships on the shortest walk between two persons, -1 when there is none of at most `most`. */
export function shortestLength({ persons, offsets, neighbours }, from, to, most) {
  const seen = new Uint8Array(persons);
  let frontier = [from];
  seen[from] = 1;
  for (let length = 1; length <= most; length++) {
    const next = [];
    for (const node of frontier) {
      for (let index = offsets[node]; index < offsets[node + 1]; index++) {
        const neighbour = neighbours[index];
        if (neighbour === to) {
          return length;
        }
        if (seen[neighbour] === 0) {
          seen[neighbour] = 1;
          next.push(neighbour);
        }
      }
    }
    frontier = next;
  }
  return -1;
}
