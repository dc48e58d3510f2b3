//! The facts of the game and its own reasons.

use super::pieces::{BAD_SET_UP, Rank, SET_UP_BOMB, SET_UP_COUNT, SET_UP_FLAG, SET_UP_MINE};
use crate::core::{Control, Facts, OptionFact, Phrase, Preset, Reason};

pub(super) static NO_MOVE: Reason =
    Reason::new("no-move", "it is the loser's turn and no piece of his can move", "轮到负方行棋而无棋可走");
pub(super) static NOBODY_MOVES: Reason =
    Reason::new("nobody-moves", "neither side has a piece that can move", "双方都无棋可走");
pub(super) static FLAG_LOST: Reason =
    Reason::new("flag-lost", "the loser's flag was taken or blown up", "负方的军旗被吃或被炸");
pub(super) static NO_CONTACT: Reason = Reason::new(
    "no-contact",
    "the loser's ply completed the run of plies without contact",
    "双方连续未碰子达到规定步数，当前行棋方判负",
);
pub(super) static SET_UP_FIRST: Reason =
    Reason::new("set-up-first", "\"{}\" is a move, but the pieces are not set up yet", "尚未布阵，不能行棋“{}”");
pub(super) static SET_UP_DONE: Reason =
    Reason::new("set-up-done", "both sides are set up already; a move is expected", "双方均已布阵，此时应行棋");
pub(super) static IMMOBILE: Reason =
    Reason::new("immobile", "mines and flags never move, and one stands at {}", "地雷和军旗不能移动：{}");
pub(super) static IN_HEADQUARTERS: Reason = Reason::new(
    "in-headquarters",
    "the piece at {} is in headquarters and never moves again",
    "大本营里的棋子不能移动：{}",
);
pub(super) static IN_CAMP: Reason =
    Reason::new("in-camp", "the piece at {} is in a camp and cannot be attacked", "不能碰行营中的棋子：{}");
pub(super) static MISPLACED: Reason =
    Reason::new("misplaced", "no game brings such a piece there: {}", "这种棋子不可能出现在该处：{}");
pub(super) static TOO_MANY: Reason =
    Reason::new("too-many", "the position has more pieces \"{}\" than a side has", "局面中的“{}”多于一方所有");
pub(super) static NO_FLAG: Reason =
    Reason::new("no-flag", "the flag \"{}\" of the side that moved last is missing", "刚行棋一方的军旗“{}”不在棋盘上");

pub(super) static MET_WEAKER: Reason = Reason::new("met-weaker", "takes the piece", "吃掉对方");
pub(super) static MET_STRONGER: Reason = Reason::new("met-stronger", "is taken itself", "反被吃掉");
pub(super) static BOTH_GONE: Reason = Reason::new("both-gone", "both are gone", "同归于尽");
pub(super) static FLAG_TAKEN: Reason = Reason::new("flag-taken", "takes the flag", "夺得军旗");
pub(super) static FLAG_BLOWN: Reason = Reason::new("flag-blown", "blows the flag up", "炸掉军旗");
pub(super) static RED_SHOWS_FLAG: Reason =
    Reason::new("red-shows-flag", "Red's field marshal is gone, its flag is shown", "红方司令阵亡，亮出军旗");
pub(super) static BLACK_SHOWS_FLAG: Reason =
    Reason::new("black-shows-flag", "Black's field marshal is gone, its flag is shown", "黑方司令阵亡，亮出军旗");

/// The words on the pieces.
static RANKS: [Phrase; Rank::ALL.len()] = {
    let mut labels = [Phrase::same(""); Rank::ALL.len()];
    let mut index = 0;
    while index < labels.len() {
        labels[index] = Rank::ALL[index].label();
        index += 1;
    }
    labels
};

pub(super) static FACTS: Facts = Facts {
    id: "junqi",
    name: Phrase::new("Junqi", "军棋"),
    aliases: &["双人军棋", "二人军棋", "两人军棋", "陆战棋", "暗棋", "Luzhanqi", "Land Battle Chess"],
    board: Phrase::same("12×5"),
    summary: Phrase::new(
        "Each side sets up 25 pieces whose ranks the other cannot see. They move along roads, and any distance along \
         railways; when two meet, the lower rank is gone and a referee tells no more than that. Bombs, mines and \
         engineers have rules of their own. Take the enemy's flag, or leave him without a move; whoever lets the run \
         of plies without contact grow to its limit loses.",
        "双方各布 25 枚棋子，彼此看不到对方棋子的军阶。棋子沿公路一次走一站，沿铁路可直行任意站，工兵还可转弯。\
         碰子时军阶低者被吃、相同则同归于尽，裁判只告知结果；炸弹、地雷、工兵另有规则。司令阵亡须亮出军旗。\
         夺得或炸掉对方军旗、或使对方无棋可走者胜；连续未碰子达到规定步数时，当前行棋方负。",
    ),
    sides: [Phrase::new("Red", "红方"), Phrase::new("Black", "黑方")],
    hidden: true,
    notation: Phrase::new(
        "each player sees himself at the bottom; first a set-up, 25 letters for rows G..L without the camps (a field \
         marshal, b general, c major general, d brigadier, e colonel, f major, g captain, h lieutenant, i engineer, \
         j mine, k bomb, l flag): abccddeeffggghhhiiijjkklj; then moves, from and to: G0F0",
        "双方均以己方在下为视角；先布阵，自 G 行至 L 行（不含行营）共 25 个字母（a 司令、b 军长、c 师长、d 旅长、\
         e 团长、f 营长、g 连长、h 排长、i 工兵、j 地雷、k 炸弹、l 军旗）：abccddeeffggghhhiiijjkklj；之后行棋，\
         起点与终点：G0F0",
    ),
    prompts: &[Phrase::new("Choose a piece", "请选一枚棋子"), Phrase::new("Where should it go?", "走到哪里？")],
    ranks: &RANKS,
    words_per_ply: 1,
    position: Phrase::new(
        "rows from the top as Red sees them (A..L Red's pieces, a..l Black's, numbers for empty stations), side to move \
         (b: Red, first; w: Black, second), plies without contact, flags shown (-, b, w, bw), plies played; a player \
         gets his own view with ? for unknown pieces: \
         5/5/5/5/5/5/5/5/5/5/5/5 b 0 - 0",
        "红方视角自上而下各行（A..L 红方棋子、a..l 黑方棋子、数字为连续空位数）、行棋方（b 先手红方、w 后手黑方）、\
         连续未碰子步数、已亮军旗（-、b、w、bw）、已行步数；选手所见为己方视角，未知棋子记作 ?：\
         5/5/5/5/5/5/5/5/5/5/5/5 b 0 - 0",
    ),
    options: &[OptionFact {
        key: "steps",
        name: Phrase::new("Plies without contact", "未碰子步数上限"),
        control: Control::whole_or(1, 10_000, Phrase::new("no limit", "不限")),
        values: "0..10000",
        text: Phrase::new(
            "the ply that brings the run of plies without contact to this many loses; 0: no limit",
            "双方连续未碰子达到此步数时当前行棋方负；0 为不限",
        ),
    }],
    presets: &[
        Preset {
            id: "usual",
            name: Phrase::new("31 plies without contact lose, as in the championship", "31 步未碰子判负，锦标赛规则"),
            pairs: &[],
        },
        Preset {
            id: "patient",
            name: Phrase::new("100 plies without contact lose", "100 步未碰子判负"),
            pairs: &["steps=100"],
        },
        Preset {
            id: "endless",
            name: Phrase::new("No limit of plies without contact", "未碰子步数不限"),
            pairs: &["steps=0"],
        },
    ],
    samples: &[&["steps=0"], &["steps=5"]],
    example: "ce1lf/jjkgj/h1hib/kh1aC/1c3/i1f2/2A2/HH1C1/1GHD1/KGE2/1GEKJ/BJJLI b 4 - 60",
    reasons: &[
        &BAD_SET_UP,
        &SET_UP_COUNT,
        &SET_UP_FLAG,
        &SET_UP_MINE,
        &SET_UP_BOMB,
        &SET_UP_FIRST,
        &SET_UP_DONE,
        &NO_MOVE,
        &NOBODY_MOVES,
        &FLAG_LOST,
        &NO_CONTACT,
        &IMMOBILE,
        &IN_HEADQUARTERS,
        &IN_CAMP,
        &MISPLACED,
        &TOO_MANY,
        &NO_FLAG,
        &MET_WEAKER,
        &MET_STRONGER,
        &BOTH_GONE,
        &FLAG_TAKEN,
        &FLAG_BLOWN,
        &RED_SHOWS_FLAG,
        &BLACK_SHOWS_FLAG,
    ],
};
