/**
 * The shapes that the client's modules share, as JSDoc types only: no code lives here.
 *
 * @typedef {number} Card 0-51, with two decks 52-103 for the second; suit = card / 13 mod 4 (s h d c), rank = card mod 13 (0 is the ace)
 * @typedef {number} Pile columns 0-15, foundations 16-23, stock 24, waste 25
 *
 * A move or a special command. Source 255 is special: count 1 finish, 2 undo, 3 pause, 4 resume, 5 resign, 7 turn up (target = column).
 * A draw is {source: 24, count: 1, target: 25}.
 * @typedef {{source: number, count: number, target: number}} Move
 *
 * A column as seen: `down` face-down cards (deepest, without identity), then the face-up `cards`, deepest first.
 * A shown move that uncovers a face-down card leaves {down: n, cards: []} until the server's event brings the card.
 * @typedef {{down: number, cards: Card[]}} Column
 *
 * @typedef {object} Board
 * @property {Column[]} columns
 * @property {Card[][]} foundations one array for each foundation pile (16 + index), ace first
 * @property {number} stock how many cards, none of them known
 * @property {Card[]} waste the last one is on top. After a shown draw the new top is -1 until the event brings the card
 *
 * @typedef {object} Flags
 * @property {boolean} canUndo
 * @property {boolean} finishable
 * @property {boolean} blocked no legal move; announced only where the ruleset's `lost` says so
 * @property {boolean} paused
 * @property {boolean} won
 * @property {boolean} givenUp
 *
 * The command that is under way: not answered yet. `shown`: the board shows it already.
 * @typedef {{move: Move, version: number, shown: boolean, sent: boolean}} Pending
 *
 * What the player did while a command was under way, decided when its turn comes. A group is named by its deepest `card`
 * (null: not known yet). `home`: a tap on a last card, to its foundation or else selected. `place`: a double tap.
 * @typedef {{type: 'move', move: Move, card: Card | null} | {type: 'home' | 'place', card: Card}
 *   | {type: 'special', move: Move}} Waiting
 *
 * The last move, for marking it: `at` is performance.now() of its showing.
 * @typedef {{source: number, count: number, target: number, at: number, undo: boolean}} LastMove
 *
 * Elapsed time: `ms` at the local instant `at` (performance.now()); it runs on from there when `running`.
 * @typedef {{ms: number, at: number, running: boolean}} Elapsed
 *
 * @typedef {object} Game
 * @property {string} session
 * @property {string} letter the ruleset's
 * @property {string | null} code null while sealed
 * @property {string | null} commitment hex, where the code is sealed
 * @property {number} origin 0 random, 1 typed code, 2 ranked, 3 daily, 4 race
 * @property {boolean} counts it may enter the leaderboards of its ruleset, or of its day
 * @property {string | null} day of a daily deal, in UTC: 2026-11-30
 * @property {boolean} first its sealed cards were new to this player; of a daily deal it is the try of the day
 * @property {number} version accepted commands so far
 * @property {Flags} flags
 * @property {number} score
 * @property {number} moves
 * @property {number} ranked ranked score, as of the last snapshot
 * @property {Elapsed} elapsed
 * @property {Board} board the board to draw: `confirmed` with the pending and waiting moves on it
 * @property {Board} confirmed what the server said last
 * @property {Move[]} legal the legal moves of `confirmed`. While `pending` is not null they say nothing about `board`: use `legalNow(game)`
 * @property {Pending | null} pending
 * @property {Waiting[]} queue
 * @property {LastMove | null} lastMove
 * @property {boolean} asked a snapshot was asked for and is not here yet
 *
 * @typedef {object} Settings
 * @property {boolean} doubleClick
 * @property {boolean} placementHelp show where the dragged or selected cards may go
 * @property {boolean} interactiveRules say which rule refused a move
 * @property {boolean} autoPlacement cards dropped anywhere on the tableau find their column
 * @property {boolean} fourColours
 * @property {'system' | 'light' | 'dark'} theme
 * @property {string} lastRuleset letter
 *
 * One row of GET /api/rules. Further fields may be there.
 * @typedef {object} Ruleset
 * @property {string} letter
 * @property {string} name
 * @property {string} sentence
 * @property {number} columns
 * @property {number} foundations
 * @property {number} decks
 * @property {number[]} [steps] ranks that a card may be away from the card it goes on
 * @property {number | null} [group_limit]
 * @property {boolean} lost a blocked game is announced as lost
 *
 * Something to tell the player for a moment; a new id is a new notice.
 * @typedef {{id: number, key: string, params: Record<string, string | number>, tone: 'plain' | 'refusal' | 'good'}} Notice
 *
 * Cards that were refused and fly back: a new `id` is a new one.
 * @typedef {{id: number, source: Pile, count: number}} Refused
 *
 * @typedef {'new' | 'menu' | 'help' | 'share' | 'giveUp' | 'offer' | 'win' | 'name'
 *   | 'race' | 'change' | 'force' | 'remove' | 'leave' | 'qr' | 'lanes' | null} PanelName the second line is of rooms
 *
 * The one state object. Plain data, never changed in place: replaced by update(state, event).
 * @typedef {object} State
 * @property {'connecting' | 'open' | 'lost' | 'stopped'} connection
 * @property {number} stopCode the close code when stopped, else 0
 * @property {boolean} stopping the server said that it restarts; until the next connection
 * @property {string | null} client the hash of this client's files; null where it came by none
 * @property {'' | 'here' | 'away'} newer the server has another client than this one; away: nothing is said of it for now
 * @property {string} served the hash of the client that the server has, as far as it said
 * @property {string} unwanted the hash of the client of which the player wants to hear no more
 * @property {number} serial the last id given to a notice or a refusal
 * @property {{id: string, name: string | null} | null} player
 * @property {Settings} settings
 * @property {Ruleset[]} rulesets empty until /api/rules answered
 * @property {Game | null} game
 * @property {NewGame | null} dealing a new game that was asked for and is not here yet
 * @property {string | null} opening a session that is being opened and is not here yet
 * @property {{pile: Pile, count: number} | null} selection
 * @property {boolean} showMoves every group that can move is marked (until the next action)
 * @property {PanelName} panel
 * @property {boolean} covered a page covers the table: its panels wait, and no game is dealt for want of one
 * @property {string | null} raceOn the game code that a race to be made begins with
 * @property {string | null} offer the game code of a link /g/<code>
 * @property {Notice | null} notice
 * @property {Refused | null} refused
 * @property {import('./rooms/types.js').RoomState | null} room only with the part for rooms, which is loaded when it is needed
 *
 * @typedef {{request: Uint8Array, origin: number, text: string, sent: boolean}} NewGame
 *
 * What the table (pointer, keyboard) and the panels ask for. `index` counts the column's cards from the deepest, face-down
 * ones included; -1 is the empty place. The first tap of a double tap is sent as `tap` at once; a second quick tap on the same
 * card is sent as `doubleTap` (instead of a second `tap`). `lift`: a drag began, the selection ends; the table shows its targets.
 * @typedef {{type: 'tap', pile: Pile, index: number}
 *   | {type: 'doubleTap', pile: Pile, index: number}
 *   | {type: 'lift', pile: Pile, count: number}
 *   | {type: 'drop', source: Pile, count: number, target: Pile | null, area: 'tableau' | 'foundations' | null}
 *   | {type: 'deselect'}
 *   | {type: 'draw'} | {type: 'turnUp', column: number}
 *   | {type: 'undo'} | {type: 'finish'} | {type: 'pause'} | {type: 'resume'} | {type: 'resign'}
 *   | {type: 'showMoves'} | {type: 'later'}
 *   | {type: 'new', origin: number, text: string}
 *   | {type: 'open', session: string}
 *   | {type: 'copy', what: 'code' | 'link'}
 *   | {type: 'panel', panel: PanelName, code?: string | null}} Action
 *
 * What update() takes. `now` is performance.now().
 * @typedef {{type: 'act', action: Action, now: number, request?: Uint8Array}
 *   | {type: 'message', message: ServerMessage, now: number}
 *   | {type: 'connection', status: 'connecting' | 'open' | 'lost' | 'stopped', code?: number, now: number}
 *   | {type: 'retry', now: number, kind: 'pending' | 'dealing' | 'opening' | 'asking'}
 *   | {type: 'settings', changes: Partial<Settings>}
 *   | {type: 'rules', rulesets: Ruleset[]}
 *   | {type: 'player', player: {id: string, name: string | null}}
 *   | {type: 'cover', covered: boolean, request: Uint8Array}
 *   | {type: 'start', session: string | null, offer: string | null, request: Uint8Array, asked?: boolean}
 *   | {type: 'failed', panel?: State['panel'] | 'pause'}
 *   | {type: 'notice', key: string, params?: Record<string, string | number>, tone?: Notice['tone']}
 *   | import('./rooms/types.js').RoomEvent} Event
 *
 * What update() asks main to do.
 * @typedef {{type: 'send', message: unknown[]}
 *   | {type: 'deal', letter: string}
 *   | {type: 'retry', kind: 'pending' | 'dealing' | 'opening' | 'asking'}
 *   | {type: 'saveSettings', settings: Settings}
 *   | {type: 'saveSession', session: string | null}
 *   | {type: 'copy', text: string, what: string}
 *   | {type: 'address', path: string}
 *   | import('./rooms/types.js').RoomEffect} Effect
 *
 * Messages from the server as objects (wire.js).
 * @typedef {{kind: 'welcome', protocol: number, player: string, name: string | null, time: number, capabilities: string[]}
 *   | SnapshotMessage
 *   | EventMessage
 *   | {kind: 'refusal', command: number, about: number | Uint8Array | null, code: string, reason: string, again: boolean}
 *   | {kind: 'pong', echo: number, time: number}
 *   | {kind: 'confirmed', version: number}
 *   | {kind: 'left'}
 *   | {kind: 'notice', code: string, text: string | null}
 *   | BoardMessage
 *   | import('./rooms/types.js').RoomMessage} ServerMessage
 *
 * A leaderboard that this socket watches has changed, or is watched from now on; null: none is watched any more.
 * @typedef {{kind: 'board', board: string | null, total: number}} BoardMessage
 *
 * @typedef {object} SnapshotMessage
 * @property {'snapshot'} kind
 * @property {string} session
 * @property {number} version
 * @property {Flags} flags
 * @property {number} score
 * @property {number} moves
 * @property {string} letter
 * @property {string | null} code
 * @property {string | null} commitment
 * @property {number} elapsed
 * @property {Board} board
 * @property {Move[]} legal
 * @property {number} ranked
 * @property {number} origin
 * @property {boolean} counts
 * @property {string | null} day
 * @property {boolean} first
 *
 * @typedef {object} EventMessage
 * @property {'event'} kind
 * @property {number} version
 * @property {Flags} flags
 * @property {number} score
 * @property {number} moves
 * @property {Move} command
 * @property {Change[]} changes in order, the command's own move included where it is one
 * @property {Move[]} legal
 * @property {number | null} elapsed
 *
 * @typedef {{type: 'move', source: number, count: number, target: number}
 *   | {type: 'up', column: number, card: Card}
 *   | {type: 'down', column: number}
 *   | {type: 'waste', card: Card}} Change
 */

export {};
