/** One film: who made it and who plays whom in it. */
export interface Film {
  readonly title: string;
  readonly year: number;
  readonly country: string;
  readonly genres: readonly string[];
  readonly director: string;
  readonly writers?: readonly string[];
  readonly music?: string;
  readonly cast: readonly (readonly [actor: string, role: string])[];
  /** An older film whose story it tells again. */
  readonly retells?: string;
}

/** Films of 1941 to 1968 whose makers keep meeting each other. */
export const FILMS: readonly Film[] = [
  film(
    "Citizen Kane",
    1941,
    "USA",
    ["Drama"],
    "Orson Welles",
    ["Herman J. Mankiewicz", "Orson Welles"],
    "Bernard Herrmann",
    [
      ["Orson Welles", "Charles Foster Kane"],
      ["Joseph Cotten", "Jedediah Leland"],
    ],
  ),
  film("The Maltese Falcon", 1941, "USA", ["Noir"], "John Huston", ["John Huston"], undefined, [
    ["Humphrey Bogart", "Sam Spade"],
    ["Mary Astor", "Brigid O'Shaughnessy"],
    ["Peter Lorre", "Joel Cairo"],
    ["Sydney Greenstreet", "Kasper Gutman"],
  ]),
  film("Casablanca", 1942, "USA", ["Drama", "Romance"], "Michael Curtiz", [], "Max Steiner", [
    ["Humphrey Bogart", "Rick Blaine"],
    ["Ingrid Bergman", "Ilsa Lund"],
    ["Claude Rains", "Louis Renault"],
    ["Peter Lorre", "Ugarte"],
    ["Sydney Greenstreet", "Ferrari"],
  ]),
  film(
    "Double Indemnity",
    1944,
    "USA",
    ["Noir"],
    "Billy Wilder",
    ["Billy Wilder", "Raymond Chandler"],
    "Miklós Rózsa",
    [
      ["Fred MacMurray", "Walter Neff"],
      ["Barbara Stanwyck", "Phyllis Dietrichson"],
      ["Edward G. Robinson", "Barton Keyes"],
    ],
  ),
  film("The Big Sleep", 1946, "USA", ["Noir"], "Howard Hawks", ["William Faulkner"], "Max Steiner", [
    ["Humphrey Bogart", "Philip Marlowe"],
    ["Lauren Bacall", "Vivian Rutledge"],
  ]),
  film("Notorious", 1946, "USA", ["Thriller", "Romance"], "Alfred Hitchcock", ["Ben Hecht"], undefined, [
    ["Cary Grant", "Devlin"],
    ["Ingrid Bergman", "Alicia Huberman"],
    ["Claude Rains", "Alexander Sebastian"],
  ]),
  film("The Third Man", 1949, "United Kingdom", ["Noir"], "Carol Reed", ["Graham Greene"], "Anton Karas", [
    ["Joseph Cotten", "Holly Martins"],
    ["Orson Welles", "Harry Lime"],
    ["Alida Valli", "Anna Schmidt"],
    ["Trevor Howard", "Major Calloway"],
  ]),
  film("Sunset Boulevard", 1950, "USA", ["Noir"], "Billy Wilder", ["Billy Wilder"], "Franz Waxman", [
    ["William Holden", "Joe Gillis"],
    ["Gloria Swanson", "Norma Desmond"],
  ]),
  film("Rashomon", 1950, "Japan", ["Drama", "Samurai"], "Akira Kurosawa", ["Akira Kurosawa"], "Fumio Hayasaka", [
    ["Toshiro Mifune", "Tajomaru"],
    ["Machiko Kyo", "The wife"],
    ["Takashi Shimura", "The woodcutter"],
  ]),
  film("Strangers on a Train", 1951, "USA", ["Thriller", "Noir"], "Alfred Hitchcock", ["Raymond Chandler"], undefined, [
    ["Farley Granger", "Guy Haines"],
    ["Robert Walker", "Bruno Antony"],
  ]),
  film("Roman Holiday", 1953, "USA", ["Comedy", "Romance"], "William Wyler", [], undefined, [
    ["Gregory Peck", "Joe Bradley"],
    ["Audrey Hepburn", "Princess Ann"],
  ]),
  film("Rear Window", 1954, "USA", ["Thriller"], "Alfred Hitchcock", ["John Michael Hayes"], "Franz Waxman", [
    ["James Stewart", "L. B. Jefferies"],
    ["Grace Kelly", "Lisa Fremont"],
    ["Thelma Ritter", "Stella"],
  ]),
  film("Dial M for Murder", 1954, "USA", ["Thriller"], "Alfred Hitchcock", [], undefined, [
    ["Ray Milland", "Tony Wendice"],
    ["Grace Kelly", "Margot Wendice"],
  ]),
  film("Sabrina", 1954, "USA", ["Comedy", "Romance"], "Billy Wilder", ["Billy Wilder", "Ernest Lehman"], undefined, [
    ["Humphrey Bogart", "Linus Larrabee"],
    ["Audrey Hepburn", "Sabrina Fairchild"],
    ["William Holden", "David Larrabee"],
  ]),
  film("Seven Samurai", 1954, "Japan", ["Samurai"], "Akira Kurosawa", ["Akira Kurosawa"], "Fumio Hayasaka", [
    ["Toshiro Mifune", "Kikuchiyo"],
    ["Takashi Shimura", "Kambei Shimada"],
  ]),
  film("On the Waterfront", 1954, "USA", ["Drama"], "Elia Kazan", [], "Leonard Bernstein", [
    ["Marlon Brando", "Terry Malloy"],
    ["Eva Marie Saint", "Edie Doyle"],
    ["Lee J. Cobb", "Johnny Friendly"],
  ]),
  film(
    "To Catch a Thief",
    1955,
    "USA",
    ["Thriller", "Romance"],
    "Alfred Hitchcock",
    ["John Michael Hayes"],
    undefined,
    [
      ["Cary Grant", "John Robie"],
      ["Grace Kelly", "Frances Stevens"],
    ],
  ),
  film("12 Angry Men", 1957, "USA", ["Drama"], "Sidney Lumet", [], undefined, [
    ["Henry Fonda", "Juror 8"],
    ["Lee J. Cobb", "Juror 3"],
  ]),
  film("Witness for the Prosecution", 1957, "USA", ["Drama", "Thriller"], "Billy Wilder", ["Billy Wilder"], undefined, [
    ["Tyrone Power", "Leonard Vole"],
    ["Marlene Dietrich", "Christine Vole"],
    ["Charles Laughton", "Sir Wilfrid Robarts"],
  ]),
  film("Throne of Blood", 1957, "Japan", ["Samurai", "Drama"], "Akira Kurosawa", ["Akira Kurosawa"], undefined, [
    ["Toshiro Mifune", "Washizu"],
    ["Takashi Shimura", "Odagura"],
  ]),
  film("Vertigo", 1958, "USA", ["Thriller"], "Alfred Hitchcock", [], "Bernard Herrmann", [
    ["James Stewart", "Scottie Ferguson"],
    ["Kim Novak", "Madeleine Elster"],
  ]),
  film("Touch of Evil", 1958, "USA", ["Noir"], "Orson Welles", ["Orson Welles"], "Henry Mancini", [
    ["Charlton Heston", "Mike Vargas"],
    ["Janet Leigh", "Susan Vargas"],
    ["Orson Welles", "Hank Quinlan"],
    ["Marlene Dietrich", "Tanya"],
  ]),
  film("North by Northwest", 1959, "USA", ["Thriller"], "Alfred Hitchcock", ["Ernest Lehman"], "Bernard Herrmann", [
    ["Cary Grant", "Roger Thornhill"],
    ["Eva Marie Saint", "Eve Kendall"],
    ["James Mason", "Phillip Vandamm"],
  ]),
  film("Some Like It Hot", 1959, "USA", ["Comedy"], "Billy Wilder", ["Billy Wilder"], undefined, [
    ["Marilyn Monroe", "Sugar Kane"],
    ["Tony Curtis", "Joe"],
    ["Jack Lemmon", "Jerry"],
  ]),
  film("Psycho", 1960, "USA", ["Thriller"], "Alfred Hitchcock", [], "Bernard Herrmann", [
    ["Anthony Perkins", "Norman Bates"],
    ["Janet Leigh", "Marion Crane"],
  ]),
  film("The Apartment", 1960, "USA", ["Comedy", "Romance"], "Billy Wilder", ["Billy Wilder"], undefined, [
    ["Jack Lemmon", "C. C. Baxter"],
    ["Shirley MacLaine", "Fran Kubelik"],
    ["Fred MacMurray", "Jeff Sheldrake"],
  ]),
  film("La Dolce Vita", 1960, "Italy", ["Drama"], "Federico Fellini", ["Federico Fellini"], "Nino Rota", [
    ["Marcello Mastroianni", "Marcello Rubini"],
    ["Anita Ekberg", "Sylvia"],
    ["Anouk Aimée", "Maddalena"],
  ]),
  retelling(
    film("The Magnificent Seven", 1960, "USA", ["Western"], "John Sturges", [], "Elmer Bernstein", [
      ["Yul Brynner", "Chris Adams"],
      ["Steve McQueen", "Vin Tanner"],
      ["Charles Bronson", "Bernardo O'Reilly"],
      ["James Coburn", "Britt"],
      ["Eli Wallach", "Calvera"],
    ]),
    "Seven Samurai",
  ),
  film("Breakfast at Tiffany's", 1961, "USA", ["Comedy", "Romance"], "Blake Edwards", [], "Henry Mancini", [
    ["Audrey Hepburn", "Holly Golightly"],
    ["George Peppard", "Paul Varjak"],
  ]),
  film("Yojimbo", 1961, "Japan", ["Samurai"], "Akira Kurosawa", ["Akira Kurosawa"], undefined, [
    ["Toshiro Mifune", "Sanjuro"],
    ["Takashi Shimura", "Tokuemon"],
  ]),
  film("Charade", 1963, "USA", ["Comedy", "Thriller"], "Stanley Donen", [], "Henry Mancini", [
    ["Cary Grant", "Peter Joshua"],
    ["Audrey Hepburn", "Regina Lampert"],
    ["James Coburn", "Tex Panthollow"],
  ]),
  film("Irma la Douce", 1963, "USA", ["Comedy"], "Billy Wilder", ["Billy Wilder"], undefined, [
    ["Jack Lemmon", "Nestor Patou"],
    ["Shirley MacLaine", "Irma"],
  ]),
  film("The Great Escape", 1963, "USA", ["Drama"], "John Sturges", [], "Elmer Bernstein", [
    ["Steve McQueen", "Virgil Hilts"],
    ["James Coburn", "Louis Sedgwick"],
    ["Charles Bronson", "Danny Velinski"],
  ]),
  film("8½", 1963, "Italy", ["Drama"], "Federico Fellini", ["Federico Fellini"], "Nino Rota", [
    ["Marcello Mastroianni", "Guido Anselmi"],
    ["Claudia Cardinale", "Claudia"],
    ["Anouk Aimée", "Luisa Anselmi"],
  ]),
  film("The Leopard", 1963, "Italy", ["Drama"], "Luchino Visconti", [], "Nino Rota", [
    ["Burt Lancaster", "Don Fabrizio"],
    ["Claudia Cardinale", "Angelica Sedara"],
    ["Alain Delon", "Tancredi Falconeri"],
  ]),
  retelling(
    film("A Fistful of Dollars", 1964, "Italy", ["Western"], "Sergio Leone", ["Sergio Leone"], "Ennio Morricone", [
      ["Clint Eastwood", "Joe"],
      ["Gian Maria Volonté", "Ramón Rojo"],
    ]),
    "Yojimbo",
  ),
  film("For a Few Dollars More", 1965, "Italy", ["Western"], "Sergio Leone", ["Sergio Leone"], "Ennio Morricone", [
    ["Clint Eastwood", "Monco"],
    ["Lee Van Cleef", "Douglas Mortimer"],
    ["Gian Maria Volonté", "El Indio"],
  ]),
  film(
    "The Good, the Bad and the Ugly",
    1966,
    "Italy",
    ["Western"],
    "Sergio Leone",
    ["Sergio Leone"],
    "Ennio Morricone",
    [
      ["Clint Eastwood", "Blondie"],
      ["Lee Van Cleef", "Angel Eyes"],
      ["Eli Wallach", "Tuco"],
    ],
  ),
  film(
    "Once Upon a Time in the West",
    1968,
    "Italy",
    ["Western"],
    "Sergio Leone",
    ["Sergio Leone"],
    "Ennio Morricone",
    [
      ["Henry Fonda", "Frank"],
      ["Charles Bronson", "Harmonica"],
      ["Claudia Cardinale", "Jill McBain"],
    ],
  ),
];

function film(
  title: string,
  year: number,
  country: string,
  genres: readonly string[],
  director: string,
  writers: readonly string[],
  music: string | undefined,
  cast: Film["cast"],
): Film {
  return { title, year, country, genres, director, writers, cast, ...(music === undefined ? {} : { music }) };
}

function retelling(again: Film, original: string): Film {
  return { ...again, retells: original };
}
