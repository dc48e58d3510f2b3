//! Files as others write them.

use games::{Eyes, Language, Side};
use records::{Choices, Format, Opened, PlyEnd, ReadError, Record, Rows};

fn read(text: &str) -> Opened {
    records::read(text.as_bytes(), "", &Choices::default()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn plies(record: &Record) -> Vec<&str> {
    record.plies.iter().map(|ply| ply.ply.as_str()).collect()
}

#[test]
fn connect6_as_the_championship_writes_it() {
    let text = "{[C6][first B][second W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J,10);W(I,11);W(K,9)}";
    let opened = read(text);
    let record = &opened.record;
    assert_eq!((opened.format, record.game.as_str()), (Format::Ccgc, "connect6"));
    assert_eq!((record.seats.black.name.as_str(), record.seats.white.name.as_str()), ("first", "second"));
    assert_eq!(record.date.as_deref(), Some("2017-07-29T14:00:00+08:00"));
    assert_eq!((record.place.as_deref(), record.event.as_deref()), (Some("重庆"), Some("2017 CCGC")));
    assert_eq!(record.verdict.as_ref().unwrap().winner, Some(Side::Black));
    assert_eq!(record.verdict.as_ref().unwrap().reason, "reported");
    // J is the tenth column, row 10 the middle one; row 11 from the bottom is the ninth from the top.
    assert_eq!(plies(record), ["JJ@@", "IIKK"]);
    record.replay().unwrap();
    let (gb18030, _, _) = encoding_rs::GB18030.encode(text);
    assert_eq!(records::read(&gb18030, "x.txt", &Choices::default()).unwrap(), opened);
    let top = Choices { rows: Rows::FromTop, ..Choices::default() };
    let from_top = records::read(text.as_bytes(), "", &top).unwrap().record;
    assert_eq!(plies(&from_top), ["JJ@@", "KIIK"]);
    for other in [
        "{{C6}[first B][second W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J,10);W(I,11);W(K,9)}",
        "{[C6][firstB][secondW][先手胜][2017.07.29 14:00 重庆][2017 CCGC];\r\nB(j,10);\r\nW(i,11);W(k,9);\r\n}\r\n",
        "\u{feff}{ [C6] [first B][second W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J10); W(I11) ; W[K,9]}}",
    ] {
        assert_eq!(read(other).record, opened.record, "{other}");
    }
}

#[test]
fn amazons_as_the_championship_writes_it() {
    // The line that explains the notation; as a game it is not one, its first arrow stands in White's way.
    let record = read("#[AM][first][second][后手胜][2019.08.01 北京][赛事];\r\n1 d1d7(g7) g10g4(d4)\r\n").record;
    assert_eq!(plies(&record), ["DJDDGD", "GAGGDG"]);
    assert_eq!(record.verdict.as_ref().unwrap().winner, Some(Side::White));
    assert_eq!(record.replay().err().and_then(|error| error.ply()), Some(2));
    let record =
        read("#[AM][first][second][后手胜][2019.08.01 北京][赛事];\r\n1 d1d7(g7) g10g8(d8)\r\n2 a4b4(b10)").record;
    assert_eq!(plies(&record), ["DJDDGD", "GAGCDC", "AGBGBA"]);
    record.replay().unwrap();
    let other = "#[AM][first][second][后手胜][2019.08.01 北京][赛事];1. d1d7(g7)\ng10g8(d8) 2. A4B4(B10)";
    assert_eq!(read(other).record, record);
}

#[test]
fn nogo_and_phantom_go_as_the_championship_writes_them() {
    let record = read("([NG][A][B][后手胜][2018.08.01 9:30 天津][CCGC];B:[A1];W:[B2])").record;
    assert_eq!((record.game.as_str(), plies(&record)), ("nogo", vec!["AI", "BH"]));
    record.replay().unwrap();
    let record = read("([PG][B][W][先手胜][2018.08.01 天津][CCGC];B[E5];W[PASS];B[])").record;
    assert_eq!((record.game.as_str(), plies(&record)), ("phantom-go", vec!["EE", "pass", "pass"]));
    assert_eq!(record.verdict.as_ref().unwrap().reason, "two-passes");
    record.replay().unwrap();
    // Some sources write refused tries too: the same side then moves again.
    let record = read("([PG][B][W][][][];B[E5];W[E5];W[C3])").record;
    assert_eq!(
        record.plies.iter().map(|ply| ply.end).collect::<Vec<_>>(),
        [PlyEnd::Played, PlyEnd::Refused, PlyEnd::Played]
    );
    record.replay().unwrap();
}

#[test]
fn dots_as_the_championship_writes_it() {
    let text = r#"{"R": "红队", "B": "蓝队", "winner": "R", "RScore": 13, "BScore": 12, "Date": "2019-08-01 北京", "Event": "CCGC",
        "game": [{"piece": "r(a1,h)"}, {"piece": "b(a1,v)"}, {"piece":"r(e6,h)"}]}"#;
    let opened = read(text);
    assert_eq!(opened.format, Format::Ccgc);
    // a1 is the lowest dot on the left: the lowest row of horizontal lines, the last segment of the first column.
    assert_eq!(plies(&opened.record), ["AFA", "BAE", "AAE"]);
    assert_eq!(opened.record.seats.black.name, "红队");
    assert_eq!(opened.record.verdict.as_ref().unwrap().winner, Some(Side::Black));
    opened.record.replay().unwrap();
}

#[test]
fn psq_as_piskvork_writes_it() {
    let record = read("Piskvorky 20x20, 11:11, 0\r\n10,10,31\r\n11,11,2500\r\nswine.zip\r\npela.zip\r\n-1\r\n").record;
    assert_eq!((plies(&record), record.plies[1].ms), (vec!["9,9", "10,10"], Some(2500)));
    assert_eq!(record.seats.black.name, "swine.zip");
    assert_eq!(record.verdict, None);
    record.replay().unwrap();
    let record = read("Piskvorky 15x15, 11:11, 1\n8,8,0\n9,9,0\nswine\npela\n-1\n2,Renju\n").record;
    assert_eq!((record.seats.black.name.as_str(), record.seats.white.name.as_str()), ("pela", "swine"));
    assert_eq!((record.variant["rule"].as_u64(), record.verdict.unwrap().winner), (Some(4), Some(Side::White)));
    let record = read("Piskvorky 20x20, 0:0, 0\n10,10,31\n-1\n").record;
    assert_eq!((record.plies.len(), record.seats.black.name.as_str()), (1, ""));
}

/// What the official judge of Gomocup writes: its tournament's name behind the result, and 1 for the player who moved
/// first after the opening, whose stones have no time.
#[test]
fn psq_as_the_official_judge_writes_it() {
    let file =
        |moves: &str, last: &str| format!("Piskvorky 15x15, 11:11, 0\n{moves}RAPFI25.zip\nJAX25.zip\n-1\n{last}\n");
    let even = "8,8,0\n9,9,0\n7,7,1200\n9,7,900\n";
    let odd = "8,8,0\n9,9,0\n7,7,0\n9,7,900\n";
    let winner = |moves: &str, last: &str| {
        let opened = read(&file(moves, last));
        opened.record.replay().unwrap();
        opened.record.verdict.unwrap().winner
    };
    let opened = read(&file(even, "0,Freestyle15_1"));
    assert_eq!(
        (&opened.record.seats.black.name[..], &opened.record.seats.white.name[..]),
        ("RAPFI25.zip", "JAX25.zip")
    );
    assert_eq!((opened.record.variant["rule"].as_u64(), opened.record.variant["size"].as_u64()), (Some(0), Some(15)));
    assert_eq!(opened.record.event.as_deref(), Some("Freestyle15_1"));
    assert_eq!((opened.record.verdict.unwrap().winner, opened.remarks), (None, vec![]));
    assert_eq!(
        (winner(even, "1,Freestyle15_1"), winner(even, "2,Freestyle15_1")),
        (Some(Side::Black), Some(Side::White))
    );
    assert_eq!((winner(odd, "1,Freestyle15_1"), winner(odd, "2,Renju")), (Some(Side::White), Some(Side::Black)));
    assert!(read(&file(odd, "1,Freestyle15_1")).remarks[0].text(Language::Zh).contains("开局"));
    // A five on the board needs no counting, and what the judge calls a draw against it is found out.
    let five = "8,8,0\n1,1,0\n8,9,0\n1,2,9\n8,10,9\n1,3,9\n8,11,9\n1,4,9\n8,12,9\n";
    assert_eq!((winner(five, "2,Freestyle15_1"), winner(five, "1,Renju")), (Some(Side::Black), Some(Side::Black)));
    assert!(read(&file(five, "0,Freestyle15_1")).record.replay().is_err());
    for (name, rule) in [("Standard2", 1), ("Renju", 4), ("Caro", 9), ("Fastgame", 0), ("freestyle20_3", 0)] {
        let opened = read(&file(even, &format!("1,{name}")));
        assert_eq!((opened.record.variant["rule"].as_u64(), opened.remarks.len()), (Some(rule), 0), "{name}");
    }
    assert!(read(&file(even, "1,Christmas cup, 2nd")).remarks[0].text(Language::En).contains("does not tell the rule"));
    // There and back.
    for (moves, last) in [(even, "2,Freestyle15_1"), (odd, "1,Freestyle15_1")] {
        let record = read(&file(moves, last)).record;
        let written = records::write(&record, Format::Psq, &Choices::default()).unwrap().bytes;
        assert_eq!(read(&String::from_utf8(written).unwrap()).record.verdict, record.verdict);
    }
    // Without names an end code is no name.
    let bare = read("Piskvorky 20x20, 0:0, 0\n10,10,31\n-1\n1,Freestyle20_1\n").record;
    assert_eq!((bare.seats.black.name.as_str(), bare.verdict.unwrap().winner), ("", Some(Side::Black)));
    let error = records::read(b"Piskvorky 20x20, 0:0, 0\n10,10,31\n-1\nhello, world\n", "", &Choices::default());
    assert!(error.unwrap_err().to_string().contains("line 3: expected two names and an end code"));
}

/// Championship texts as entrants' programs write them.
#[test]
fn championship_texts_with_liberties() {
    let six = "{[C6][甲 B][乙 W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J,10);W(I,11);W(K,9)}";
    let expected = read(six).record;
    let with = |text: &str| {
        let opened = read(text);
        assert_eq!(opened.record, expected, "{text}");
        opened.remarks.iter().map(|remark| remark.en.clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        with(&six.replace("W(I,11)", "W(I,11)MARK[1]").replace("W(K,9)", "W(K,9);MARK[-2]")),
        ["2 marks on moves (MARK)"]
    );
    assert!(with(&six.replace("CCGC];", "CCGC]")).is_empty());
    assert!(with(&six.replace("CCGC];", "CCGC]\r\n")).is_empty());
    assert!(with(&six.replace("14:00 重庆", "14:00][重庆")).is_empty());
    assert!(with(&six.replace("2017.07.29 14:00 重庆", "2017.07.29][14:00][重庆")).is_empty());
    assert!(with(&six.replace("[2017.07.29 14:00 重庆][2017 CCGC];", "[重庆][2017 CCGC]2017.07.29 14:00;")).is_empty());
    assert!(with(&six.replace("[2017.07.29 14:00 重庆][2017 CCGC];", "2017.07.29 14:00 重庆[2017 CCGC];")).is_empty());
    assert_eq!(with(&six.replace("[2017 CCGC]", "[2017 CCGC][extra]")), ["fields of the header beyond the usual six"]);
    // A template that nobody filled in is no result.
    let template = read(&six.replace("先手胜", "先手/后手胜"));
    assert_eq!(template.record.verdict, None);
    assert!(template.remarks[0].text(Language::Zh).contains("没有说明胜负"));
    assert_eq!(read(&six.replace("先手胜", "先手认输")).record.verdict.unwrap().winner, Some(Side::White));
    assert_eq!(read(&six.replace("先手胜", "后手超时")).record.verdict.unwrap().winner, Some(Side::Black));

    let moves = |text: &str| read(text).record.plies.len();
    for empty in [
        "{[C6][a B][b W][先手胜][][]}",
        "{[C6][a B][b W][先手胜][][];}",
        "([NG][a][b][后手胜][][])",
        "#[AM][a][b][后手胜][][];\r\n",
    ] {
        assert_eq!((moves(empty), read(empty).record.verdict.is_some()), (0, true), "{empty}");
    }
    let amazons = "#[AM][a][b][后手胜][2019.08.01 北京][赛事]\r\n1 d1d7(g7)MARK[1] g10g8(d8)\r\n";
    assert_eq!(plies(&read(amazons).record), ["DJDDGD", "GAGCDC"]);
    assert_eq!(plies(&read("([NG][a][b][][][];B[A1]MARK[0];W[B2]MARK[2])").record), ["AI", "BH"]);
}

/// Texts of games that are read in no such form yet are told by their names.
#[test]
fn official_texts_that_are_not_read_are_named() {
    for (text, game) in [
        ("{[C5][甲 B][乙 W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(H,8);W(I,9)}", "Gomoku"),
        ("#2017-11-30-20:55|重庆\r\n#先手方:A|后手方:B|未决胜\r\nB2E-3E\r\n", "Surakarta"),
        ("#先手方:A|后手方:B|先手胜\r\n!BBBBBB\r\n", "Surakarta"),
        ("(\r\n;INFO[1.0]PA[A]PB[B]TL[1800]SL[31]\r\n;AA[abc]\r\n;MA[G0F0]RA[1]FB[00]\r\n)\r\n", "Junqi"),
        ("{[HEX][甲 R][乙 B][先手胜][][];R(A,1)}", "Hex"),
        ("#[WTN][R][B][][][];\nR:A5-1;B5-2\n", "EinStein"),
    ] {
        let (gb18030, _, _) = encoding_rs::GB18030.encode(text);
        for bytes in [text.as_bytes(), &gb18030] {
            let error = records::read(bytes, "x.txt", &Choices::default()).unwrap_err();
            assert!(error.to_string().contains(&format!("championship's text of {game}")), "{error}");
            assert!(error.say(Language::Zh).contains("竞赛棋谱文本，本程序尚不能读取"));
        }
    }
}

#[test]
fn sgf_as_others_write_it() {
    let amazons = read("(;GM[18];B[djddgd];W[addgad];B[gjehea])").record;
    assert_eq!(plies(&amazons), ["DJDDGD", "ADDGAD", "GJEHEA"]);
    let gomoku =
        read("(;GM[4]FF[4]SZ[15]RU[Renju]PB[A \\] \\\\ B]RE[W+R];B[hh]C[a ] [b\\]];W[h9](;B[ii])(;B[jj](;W[aa])))\n");
    assert_eq!(plies(&gomoku.record), ["7,7", "7,6", "8,8"]);
    assert_eq!(gomoku.record.seats.black.name, "A ] \\ B");
    assert_eq!(gomoku.record.verdict.as_ref().unwrap().reason, "resigned");
    assert_eq!(gomoku.remarks.len(), 1);
    assert!(gomoku.remarks[0].text(Language::Zh).contains("变化"));
    gomoku.record.replay().unwrap();
    let after_junk = records::read(b"From: me\n(;GM[4];B[hh])", "game.SGF", &Choices::default()).unwrap();
    assert_eq!(plies(&after_junk.record), ["7,7"]);
}

#[test]
fn a_collection_is_taken_apart_as_text() {
    // The second bytes of these characters are a backslash and a bracket.
    let name = encoding_rs::GBK.decode(&[0x81, 0x5c, 0x81, 0x5d]).0.into_owned();
    let text = format!("(;GM[4]CA[GBK]PB[{name}];B[hh])\n\n(;GM[4]CA[GBK]PB[{name}]C[(\\]];B[ii](;W[aa])(;W[bb]))\n");
    let (bytes, _, _) = encoding_rs::GBK.encode(&text);
    let mut games = Vec::new();
    records::read_each(&bytes, "all.sgf", &Choices::default(), |opened| games.push(opened.unwrap().record));
    assert_eq!(games.iter().map(plies).collect::<Vec<_>>(), [vec!["7,7"], vec!["8,8", "0,0"]]);
    assert!(games.iter().all(|game| game.seats.black.name == name));
    assert!(records::read(&bytes, "all.sgf", &Choices::default()).unwrap().remarks[0].en.contains("further games"));
    let json = games[0].to_json().iter().map(|byte| if *byte == b'\n' { b' ' } else { *byte }).collect::<Vec<_>>();
    let lines = records::read(&[&json[..], b"\n", &json].concat(), "games.jsonl", &Choices::default()).unwrap();
    assert_eq!((&lines.record, lines.remarks.len()), (&games[0], 1));
}

#[test]
fn connect6_in_sgf_by_stones_by_values_or_by_letters() {
    for text in [
        "(;GM[1]SZ[19];B[jj];W[ii];W[kk];B[aa];B[bb])",
        "(;GM[1]SZ[19];B[jj];W[ii][kk];B[aa][bb])",
        "(;GM[1]SZ[19];B[jj];W[iikk];B[aabb])",
    ] {
        let record = read(text).record;
        assert_eq!((record.game.as_str(), plies(&record)), ("connect6", vec!["JJ@@", "IIKK", "AABB"]));
        record.replay().unwrap();
    }
}

#[test]
fn sgf_that_names_no_game_asks_for_it() {
    let text = "(;GM[1]SZ[9];B[ee];W[cc])";
    let error = records::read(text.as_bytes(), "", &Choices::default()).unwrap_err();
    assert_eq!(error, ReadError::WhichGame { format: Format::Sgf });
    let choices = Choices { game: games::find("nogo").ok(), ..Choices::default() };
    assert_eq!(plies(&records::read(text.as_bytes(), "", &choices).unwrap().record), ["EE", "CC"]);
    assert_eq!(read("(;GM[1]SZ[9]GN[不围棋 决赛];B[ee])").record.game, "nogo");
    let set_up = read("(;GM[1]SZ[9]RU[NoGo]AB[aa:ca]AW[ii]PL[W];W[ee])").record;
    assert_eq!(set_up.position.as_deref(), Some("bbb6/9/9/9/9/9/9/9/8w w"));
    assert!(set_up.replay().unwrap().position(Eyes::All).contains("4w4"));
}

#[test]
fn errors_say_where_and_what_was_expected() {
    let say = |text: &str| records::read(text.as_bytes(), "", &Choices::default()).unwrap_err().to_string();
    assert_eq!(say(""), "the file is empty; a game record was expected");
    assert!(say("hello").contains("boyi's own JSON, SGF"));
    assert_eq!(
        say("(;GM[4]\n;B[hh]\n;W[h"),
        "SGF, line 3: expected \"]\" at the end of a value, found the end of the file"
    );
    assert_eq!(say("(;GM[4]SZ[15]\n;B[zz])"), "SGF, line 2: expected points on the board, found \"zz\"");
    assert_eq!(say("(;GM[4]SZ[15];B[aa]) tail"), "SGF, line 1: expected nothing after the game, found \"tail\"");
    assert!(
        say("{[C6][a][b];B(J,10);W(Z,1);W(A,1)}").contains("expected a move of this game on the board, found \"W(Z,1)")
    );
    assert!(say("{[C6][a][b];B(J,10)} more").contains("nothing after the record"));
    assert!(say("{[C6][a][b];B(J,10)").contains("found the end of the file"));
    assert!(say("Piskvorky 20x20, 11:11\n1,1,0").contains("Piskvorky WxH"));
    assert!(say("Piskvorky 20x20, 0:0, 0\n1,1,0\na\nb\nc\n-1").contains("line 5: expected two names"));
    assert!(say("{\"format\": \"boyi-record\", \"version\": 2, \"plies\": 7}").contains("version 2"));
    assert!(say("{\"format\": \"other\"}").contains("not \"other\""));
    assert!(say("{}").contains("missing"));
    assert!(say("{\"format\": \"boyi-record\", \"version\": 1, \"game\": \"go\", \"plies\": 3}").contains("line 1"));
}
